#ifndef FENCEPOST_GENMC_H
#define FENCEPOST_GENMC_H

#ifdef __cplusplus
extern "C" {
#endif

#include <pthread.h>

/* What programs for GenMC use, where it has the same meaning here. Loop annotations are hints. */
void __VERIFIER_assume(int condition);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int done);
void __VERIFIER_loop_bound(int bound);

/* Threads. That one thread is symmetric to another is a hint. */
typedef pthread_t __VERIFIER_thread_t;
__VERIFIER_thread_t __VERIFIER_spawn(void *(*function)(void *), void *argument);
__VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*function)(void *), void *argument, __VERIFIER_thread_t other);
void *__VERIFIER_join(__VERIFIER_thread_t thread);
void *__VERIFIER_join_symmetric(__VERIFIER_thread_t thread);
__VERIFIER_thread_t __VERIFIER_thread_self(void);

#ifdef __cplusplus
}
#endif

#endif

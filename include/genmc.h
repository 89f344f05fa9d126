#ifndef FENCEPOST_GENMC_H
#define FENCEPOST_GENMC_H

#ifdef __cplusplus
extern "C" {
#endif

#include <pthread.h>
#include <stdbool.h>

/* What programs for GenMC use, where it has the same meaning here. Loop annotations are hints. */
void __VERIFIER_assume(int condition);
/* --nondet gives the range. */
int __VERIFIER_nondet_int(void);
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

/* What these say about accesses helps GenMC's search; without it, they are the accesses. */
#define __VERIFIER_local_write(statement) do { statement; } while (0)
#define __VERIFIER_final_write(statement) do { statement; } while (0)
#define __VERIFIER_helped_CAS(exchange) do { exchange; } while (0)
#define __VERIFIER_helping_CAS(exchange) do { exchange; } while (0)
#define __VERIFIER_speculative_read(read) (read)
#define __VERIFIER_confirming_read(read) (read)
#define __VERIFIER_confirming_CAS(exchange) (exchange)
#define __VERIFIER_final_CAS(exchange) (exchange)
/* Code that may be left out, such as waiting before another attempt, is run. */
#define __VERIFIER_optional(statements) do { statements; } while (0)
/* For specifications, which are GenMC's own; <fencepost.h> has operations that are compared with serial ones. */
#define __VERIFIER_method_begin(name, argument) ((void)(name), (void)(argument))
#define __VERIFIER_method_end(name, result) ((void)(name), (void)(result))

/*
 * Hazard pointers, as C: Michael's algorithm, with the full fences that it needs. What is retired is freed at once, or,
 * if it is protected, when its thread retires something else.
 */
typedef struct __fencepost_hazard __VERIFIER_hp_t;
__VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
/* Reads the pointer at `place` until it is protected; returns it. */
void *__fencepost_hazard_protect(__VERIFIER_hp_t *pointer, void *place);
#define __VERIFIER_hp_protect(pointer, place) __fencepost_hazard_protect(pointer, (void *)(place))
void __VERIFIER_hp_clear(__VERIFIER_hp_t *pointer);
void __VERIFIER_hp_free(__VERIFIER_hp_t *pointer);
void __VERIFIER_hp_retire(void *object);

#ifdef __cplusplus
}
#endif

#endif

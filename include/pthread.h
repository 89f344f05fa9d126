#ifndef FENCEPOST_PTHREAD_H
#define FENCEPOST_PTHREAD_H

#include <fencepost/types.h>
#include <sched.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* There are no scheduling policies and priorities: attributes keep what is set, to no effect. */

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_KEYS_MAX 128
#define PTHREAD_DESTRUCTOR_ITERATIONS 4

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
__attribute__((__noreturn__)) void pthread_exit(void *result);
pthread_t pthread_self(void);
int pthread_equal(pthread_t left, pthread_t right);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_yield(void);
/* A program that forks is not modelled, so these never run. */
int pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
/* See <sched.h>. */
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set);
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set);
/* Each has the default, SCHED_OTHER; changing it takes privileges, which the program does not have. */
int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters);
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters);
int pthread_setschedprio(pthread_t thread, int priority);
int pthread_setconcurrency(int level);
int pthread_getconcurrency(void);

#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
int pthread_setcancelstate(int state, int *old);
int pthread_setcanceltype(int type, int *old);
void pthread_testcancel(void);
/*
 * Deferred cancellation: these are cancellation points, besides pthread_testcancel: condition waits, sem_wait,
 * sem_timedwait, pthread_join, sleeping, and read, write and close of pipes. Asynchronous cancellation is not modelled.
 */
int pthread_cancel(pthread_t thread);

/* Run by pthread_exit, and when the thread is cancelled. */
#define pthread_cleanup_push(routine, argument) \
  do {                                          \
  __fencepost_push_cleanup((routine), (argument))
#define pthread_cleanup_pop(execute)  \
  __fencepost_pop_cleanup((execute)); \
  }                                   \
  while (0)
void __fencepost_push_cleanup(void (*routine)(void *), void *argument);
void __fencepost_pop_cleanup(int execute);

int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size);
int pthread_attr_setscope(pthread_attr_t *attributes, int scope);
int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope);
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit);
int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit);
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy);
int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy);
int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters);
int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters);

#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_ADAPTIVE_NP 3
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_INITIALIZER { { __FENCEPOST_INITIALISED, 0, 0, 0, 0 } }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { { __FENCEPOST_INITIALISED, 0, 0, 0, PTHREAD_MUTEX_RECURSIVE } }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { { __FENCEPOST_INITIALISED, 0, 0, 0, PTHREAD_MUTEX_ERRORCHECK } }
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP { { __FENCEPOST_INITIALISED, 0, 0, 0, PTHREAD_MUTEX_ADAPTIVE_NP } }

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
/* Takes the mutex if it is free when its step comes, and otherwise times out; likewise the other timed functions. */
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline);
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared);

#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol);
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling);

/* A thread that ends unlocks the robust mutexes that it holds; the next thread that locks one gets EOWNERDEAD. */
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_MUTEX_STALLED_NP PTHREAD_MUTEX_STALLED
#define PTHREAD_MUTEX_ROBUST_NP PTHREAD_MUTEX_ROBUST
#define pthread_mutexattr_setrobust_np pthread_mutexattr_setrobust
#define pthread_mutexattr_getrobust_np pthread_mutexattr_getrobust
#define pthread_mutex_consistent_np pthread_mutex_consistent
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust);
int pthread_mutex_consistent(pthread_mutex_t *mutex);

#define PTHREAD_COND_INITIALIZER { { __FENCEPOST_INITIALISED } }

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
/* May time out at any time. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);

int pthread_condattr_init(pthread_condattr_t *attributes);
int pthread_condattr_destroy(pthread_condattr_t *attributes);
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock);
int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock);
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared);
int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared);

#define PTHREAD_RWLOCK_INITIALIZER { { 0, __FENCEPOST_INITIALISED } }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP { { 0, __FENCEPOST_INITIALISED } }

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes);
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared);

int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);

#define PTHREAD_BARRIER_SERIAL_THREAD (-1)

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_wait(pthread_barrier_t *barrier);

int pthread_barrierattr_init(pthread_barrierattr_t *attributes);
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared);

#define PTHREAD_ONCE_INIT 0

int pthread_once(pthread_once_t *once, void (*initialise)(void));

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
void *pthread_getspecific(pthread_key_t key);

/* Declared only. */
int pthread_getname_np(pthread_t thread, char *name, size_t size);

#ifdef __cplusplus
}
#endif

#endif

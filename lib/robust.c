/*
 * Robust mutexes. The second word says whether one is consistent; only the holder reads and writes it. A thread that
 * ends says so in the mutexes that it holds, and unlocks them. Only programs that make a mutex robust need this file.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

enum { IN_ORDER, OWNER_DIED, NOT_RECOVERABLE };

static int state_of(pthread_mutex_t *mutex) { return __atomic_load_n(&mutex->__words[1], __ATOMIC_RELAXED); }

static void set_state(pthread_mutex_t *mutex, int state) {
  __atomic_store_n(&mutex->__words[1], state, __ATOMIC_RELAXED);
}

int __fencepost_robust_locked(pthread_mutex_t *mutex) {
  int state = state_of(mutex);
  __fencepost_poke(&__fencepost_find_hold(mutex)->is_robust, 1);
  if (state == IN_ORDER) return 0;
  if (state == OWNER_DIED) return EOWNERDEAD;
  __fencepost_drop_hold(mutex);
  __fencepost_unlock(mutex);
  return ENOTRECOVERABLE;
}

/* It was not made consistent. */
void __fencepost_robust_unlocks(pthread_mutex_t *mutex) {
  if (state_of(mutex) == OWNER_DIED) set_state(mutex, NOT_RECOVERABLE);
}

void __fencepost_release_robust(void) {
  for (pthread_mutex_t *mutex; (mutex = __fencepost_held_robust());) {
    __fencepost_drop_hold(mutex);
    set_state(mutex, OWNER_DIED);
    __fencepost_unlock(mutex);
  }
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  __fencepost_check_mutex(mutex);
  if (!__fencepost_is_robust(mutex) || !__fencepost_find_hold(mutex) || state_of(mutex) != OWNER_DIED) return EINVAL;
  set_state(mutex, IN_ORDER);
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST) return EINVAL;
  int others = *(volatile int *)attributes & ~FENCEPOST_ROBUST;
  *(volatile int *)attributes = robust == PTHREAD_MUTEX_ROBUST ? others | FENCEPOST_ROBUST : others;
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) {
  *robust = *(const volatile int *)attributes & FENCEPOST_ROBUST ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED;
  return 0;
}

/*
 * Spin locks: one word, 0 or the holder's handle plus some bits that distinguish it from what was there before the lock
 * was initialised. A destroyed lock is negative, so that no thread waits for it.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

enum { DESTROYED = -1, HELD = 0x5b000000, HANDLE = 0xffffff };

static void check(int state) {
  if (state == DESTROYED) __fencepost_misuse("use of a spin lock that has been destroyed");
}

static int mine(void) { return HELD ^ __fencepost_self(); }

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  if ((__atomic_load_n(lock, __ATOMIC_RELAXED) & ~HANDLE) == HELD)
    __fencepost_misuse("initialisation of a spin lock that is held");
  __fencepost_initialised(lock, sizeof *lock);
  __fencepost_clear(lock);
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  int state = __atomic_load_n(lock, __ATOMIC_RELAXED);
  check(state);
  if (state != 0) __fencepost_misuse("destruction of a spin lock that is held");
  __fencepost_destroyed(lock, sizeof *lock);
  __fencepost_mark_destroyed(lock, DESTROYED);
  return 0;
}

/* No spinning: the thread continues once the lock is free. */
int pthread_spin_lock(pthread_spinlock_t *lock) {
  check(__fencepost_await_slt_xchg_acquire(lock, 1, mine()));
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int old = __fencepost_try_slt_xchg_acquire(lock, 1, mine());
  check(old);
  return old == 0 ? 0 : EBUSY;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  if (__atomic_load_n(lock, __ATOMIC_RELAXED) != mine())
    __fencepost_misuse("unlock of a spin lock that the thread does not hold");
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
  return 0;
}

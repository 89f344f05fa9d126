/*
 * Read-write locks: the number of readers, plus WRITER during a write; and the mark of an initialised one. A destroyed
 * lock is negative, so that none waits for it. A thread's records say how it holds it: >= 1 reading, -1 writing.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

enum { WRITER = 0x10000, DESTROYED = (int)0x80000000 };

static void check(int state) {
  if (state < 0) __fencepost_misuse("use of a read-write lock that has been destroyed");
}

/* The mark is not the word that threads wait for, so reading it is a step. */
static void check_mark(pthread_rwlock_t *lock) {
  if (!__fencepost_needs_mark(lock)) return;
  int mark = __atomic_load_n(&lock->__words[1], __ATOMIC_RELAXED);
  __fencepost_check_mark(mark, lock, "use of a read-write lock that has not been initialised");
}

static int is_initialised(pthread_rwlock_t *lock) {
  return !__fencepost_needs_mark(lock) ||
         __atomic_load_n(&lock->__words[1], __ATOMIC_RELAXED) == __FENCEPOST_INITIALISED;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  (void)attributes;
  int state = __atomic_load_n(&lock->__words[0], __ATOMIC_RELAXED);
  if (state > 0 && is_initialised(lock)) __fencepost_misuse("initialisation of a read-write lock that is held");
  __fencepost_initialised(lock, sizeof *lock);
  __fencepost_clear(&lock->__words[0]);
  __fencepost_note_initialised(&lock->__words[1]);
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  check_mark(lock);
  int state = __atomic_load_n(&lock->__words[0], __ATOMIC_RELAXED);
  check(state);
  if (state > 0) __fencepost_misuse("destruction of a read-write lock that is held");
  __fencepost_destroyed(lock, sizeof *lock);
  __fencepost_mark_destroyed(lock, DESTROYED);
  return 0;
}

static int reading(pthread_rwlock_t *lock) {
  struct __fencepost_hold *hold = __fencepost_find_hold(lock);
  if (hold) __fencepost_count_hold(hold, __fencepost_hold_count(hold) + 1);
  else __fencepost_add_hold(lock, 1);
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  check_mark(lock);
  check(__fencepost_await_slt_add_acquire(&lock->__words[0], WRITER, 1));
  return reading(lock);
}

static int try_reading(pthread_rwlock_t *lock, int busy) {
  check_mark(lock);
  int old = __fencepost_try_slt_add_acquire(&lock->__words[0], WRITER, 1);
  check(old);
  return old < WRITER ? reading(lock) : busy;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return try_reading(lock, EBUSY); }

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline) {
  int result = try_reading(lock, ETIMEDOUT);
  return result == 0 ? 0 : __fencepost_time_out(deadline);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
  return __fencepost_times_waits(clock) ? pthread_rwlock_timedrdlock(lock, deadline) : EINVAL;
}

static int writing(pthread_rwlock_t *lock) {
  __fencepost_add_hold(lock, -1);
  return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  check_mark(lock);
  check(__fencepost_await_slt_add_acquire(&lock->__words[0], 1, WRITER));
  return writing(lock);
}

static int try_writing(pthread_rwlock_t *lock, int busy) {
  check_mark(lock);
  int old = __fencepost_try_slt_add_acquire(&lock->__words[0], 1, WRITER);
  check(old);
  return old == 0 ? writing(lock) : busy;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return try_writing(lock, EBUSY); }

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline) {
  int result = try_writing(lock, ETIMEDOUT);
  return result == 0 ? 0 : __fencepost_time_out(deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
  return __fencepost_times_waits(clock) ? pthread_rwlock_timedwrlock(lock, deadline) : EINVAL;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  struct __fencepost_hold *hold = __fencepost_find_hold(lock);
  if (!hold) __fencepost_misuse("unlock of a read-write lock that the thread does not hold");
  int count = __fencepost_hold_count(hold);
  if (count > 1) __fencepost_count_hold(hold, count - 1);
  else __fencepost_drop_hold(lock);
  check(__atomic_fetch_sub(&lock->__words[0], count < 0 ? WRITER : 1, __ATOMIC_RELEASE));
  return 0;
}

/* Whether it is shared is only stored: there is one process. A step, since attributes are the program's memory. */
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  *(volatile int *)attributes = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  *(volatile int *)attributes = shared;
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared) {
  *shared = *(const volatile int *)attributes;
  return 0;
}

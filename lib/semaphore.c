/* Semaphores: one word, the value. A destroyed one is negative, so that nobody waits for it. */
#include <fencepost/library.h>
#include <errno.h>
#include <semaphore.h>

enum { DESTROYED = (int)0x80000000 };

static int fail(int error) {
  errno = error;
  return -1;
}

static void check(int value) {
  if (value < 0) __fencepost_misuse("use of a semaphore that has been destroyed");
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) __fencepost_misuse("initialisation of a semaphore with a negative value");
  __fencepost_set(&semaphore->__words[0], (int)value);
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  check(__atomic_load_n(&semaphore->__words[0], __ATOMIC_RELAXED));
  __fencepost_poke(semaphore, DESTROYED);
  return 0;
}

int sem_wait(sem_t *semaphore) {
  check(__fencepost_await_ne_sub_acquire(&semaphore->__words[0], 0, 1));
  return 0;
}

static int try(sem_t *semaphore, int error) {
  int old = __fencepost_try_ne_sub_acquire(&semaphore->__words[0], 0, 1);
  check(old);
  return old != 0 ? 0 : fail(error);
}

int sem_trywait(sem_t *semaphore) { return try(semaphore, EAGAIN); }

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  (void)deadline;
  return try(semaphore, ETIMEDOUT);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  (void)clock;
  return sem_timedwait(semaphore, deadline);
}

int sem_post(sem_t *semaphore) {
  int old = __atomic_fetch_add(&semaphore->__words[0], 1, __ATOMIC_RELEASE);
  check(old);
  if (old == SEM_VALUE_MAX) __fencepost_misuse("semaphore overflow");
  return 0;
}

int sem_getvalue(sem_t *semaphore, int *value) {
  int now = __atomic_load_n(&semaphore->__words[0], __ATOMIC_RELAXED);
  check(now);
  *value = now;
  return 0;
}

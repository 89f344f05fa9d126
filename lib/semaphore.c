/*
 * Semaphores: the value; and the mark of an initialised one, with the number of initialisations. A destroyed one is
 * negative, so that no thread waits for it.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <semaphore.h>

enum { DESTROYED = (int)0x80000000, MARK = 0xffff, ONCE_MORE = MARK + 1 };

static int fail(int error) {
  errno = error;
  return -1;
}

static void check(int value) {
  if (value < 0) __fencepost_misuse("use of a semaphore that has been destroyed");
}

/* The mark is not the word that threads wait for, so reading it is a step. */
static int look_at_mark(sem_t *semaphore) {
  int mark = __atomic_load_n(&semaphore->__words[1], __ATOMIC_RELAXED);
  __fencepost_check_mark(mark & MARK, semaphore, "use of a semaphore that has not been initialised");
  return mark;
}

static void check_mark(sem_t *semaphore) {
  if (__fencepost_needs_mark(semaphore)) look_at_mark(semaphore);
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) __fencepost_misuse("initialisation of a semaphore with a negative value");
  __fencepost_initialised(semaphore, sizeof *semaphore);
  unsigned times = (unsigned)__atomic_load_n(&semaphore->__words[1], __ATOMIC_RELAXED) & ~(unsigned)MARK;
  *(volatile int *)&semaphore->__words[1] = (int)((times + ONCE_MORE) | __FENCEPOST_INITIALISED);
  *(volatile int *)&semaphore->__words[0] = (int)value;
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  check_mark(semaphore);
  check(__atomic_load_n(&semaphore->__words[0], __ATOMIC_RELAXED));
  __fencepost_destroyed(semaphore, sizeof *semaphore);
  __fencepost_poke(semaphore, DESTROYED);
  /* A store: operations that only read are ordered with nothing else here. */
  *(volatile int *)&semaphore->__words[0] = DESTROYED;
  return 0;
}

/*
 * A waiting thread checks the mark before and after: no other thread can tell that it is waiting. Both are steps, since
 * an initialisation's mark may arrive after its value.
 */
static int take(sem_t *semaphore) {
  if (!__fencepost_is_cancelled) return __fencepost_await_ne_sub_acquire(&semaphore->__words[0], 0, 1);
  for (int old;;) {
    __fencepost_cancellation_point();
    if ((old = __fencepost_try_ne_sub_acquire(&semaphore->__words[0], 0, 1)) != 0) return old;
  }
}

int sem_wait(sem_t *semaphore) {
  int mark = look_at_mark(semaphore);
  check(take(semaphore));
  if (__atomic_load_n(&semaphore->__words[1], __ATOMIC_RELAXED) != mark)
    __fencepost_misuse("wait for a semaphore that is initialised in the meantime");
  return 0;
}

static int takes(sem_t *semaphore) {
  check_mark(semaphore);
  int old = __fencepost_try_ne_sub_acquire(&semaphore->__words[0], 0, 1);
  check(old);
  return old != 0;
}

int sem_trywait(sem_t *semaphore) { return takes(semaphore) ? 0 : fail(EAGAIN); }

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  __fencepost_cancellation_point();
  return takes(semaphore) ? 0 : fail(__fencepost_time_out(deadline));
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  return __fencepost_times_waits(clock) ? sem_timedwait(semaphore, deadline) : fail(EINVAL);
}

int sem_post(sem_t *semaphore) {
  check_mark(semaphore);
  int old = __atomic_fetch_add(&semaphore->__words[0], 1, __ATOMIC_RELEASE);
  check(old);
  if (old == SEM_VALUE_MAX) __fencepost_misuse("semaphore overflow");
  return 0;
}

int sem_getvalue(sem_t *semaphore, int *value) {
  check_mark(semaphore);
  int now = __atomic_load_n(&semaphore->__words[0], __ATOMIC_RELAXED);
  check(now);
  *value = now;
  return 0;
}

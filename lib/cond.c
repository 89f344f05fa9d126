/* Condition variables. */
#include <fencepost/library.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static void check_state(pthread_cond_t *condition, int state) {
  if (state == FENCEPOST_DESTROYED) __fencepost_misuse("use of a condition variable that has been destroyed");
  __fencepost_check_mark(state, condition, "use of a condition variable that has not been initialised");
}

static void check(pthread_cond_t *condition) { check_state(condition, __fencepost_glance(condition)); }

/* Looking at an assigned mark is a step: once per operation. */
static void look_and_check(pthread_cond_t *condition) {
  check_state(condition, __fencepost_look_at_mark(&condition->__words[0]));
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)attributes;
  __fencepost_initialised(condition, sizeof *condition);
  __fencepost_init_marked(&condition->__words[0]);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  look_and_check(condition);
  __fencepost_destroy(condition);
  if (__fencepost_check_not_waited_for) __fencepost_check_not_waited_for(condition);
  /* Checked again: it may have been destroyed in the meantime. */
  check(condition);
  __fencepost_destroyed(condition, sizeof *condition);
  __fencepost_mark_destroyed(condition, FENCEPOST_DESTROYED);
  return 0;
}

static void prepare(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  look_and_check(condition);
  __fencepost_check_mutex(mutex);
  struct __fencepost_hold *hold = __fencepost_find_hold(mutex);
  if (hold && __fencepost_glance(&hold->is_robust)) __fencepost_robust_unlocks(mutex);
  if (hold && __fencepost_hold_count(hold) > 1)
    __fencepost_misuse("condition wait with a mutex that the thread has locked more than once");
}

/* The result of a wait, once the mutex is locked again. */
static int result_of(pthread_mutex_t *mutex, int error) {
  __fencepost_check_mutex(mutex);
  struct __fencepost_hold *hold = __fencepost_find_hold(mutex);
  int robust = hold && __fencepost_glance(&hold->is_robust) ? __fencepost_robust_locked(mutex) : 0;
  return robust ? robust : error;
}

/* 1 if it timed out. */
static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int is_timed) {
  if (__fencepost_wait_cancellably) return __fencepost_wait_cancellably(condition, mutex, is_timed);
  if (is_timed) return __fencepost_timedwait(condition, mutex);
  __fencepost_wait(condition, mutex);
  return 0;
}

/* A spurious wake-up is an unlock and a lock: a thread that is not waiting cannot be signalled. */
static int wakes_up(pthread_mutex_t *mutex) {
  if (!__fencepost_wakes_up()) return 0;
  __fencepost_unlock(mutex);
  __fencepost_lock(mutex);
  return 1;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  prepare(condition, mutex);
  if (!wakes_up(mutex)) wait(condition, mutex, 0);
  return result_of(mutex, 0);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  if (__fencepost_check_deadline(deadline) != 0) return EINVAL;
  prepare(condition, mutex);
  if (wakes_up(mutex)) return result_of(mutex, 0);
  int timed_out = wait(condition, mutex, 1);
  return result_of(mutex, timed_out ? __fencepost_time_out(deadline) : 0);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline) {
  return __fencepost_times_waits(clock) ? pthread_cond_timedwait(condition, mutex, deadline) : EINVAL;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  check(condition);
  if (__fencepost_wake_condition) __fencepost_wake_condition(condition, 1);
  else __fencepost_signal(condition);
  /* Checked again: it may have been destroyed in the meantime. */
  look_and_check(condition);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  check(condition);
  if (__fencepost_wake_condition) __fencepost_wake_condition(condition, INT_MAX);
  else __fencepost_broadcast(condition);
  look_and_check(condition);
  return 0;
}

/*
 * Attributes, in one word: whether the variable is shared, and the clock. Both are only stored: there is one process,
 * and a timed wait may end at any time, whatever the clock.
 */
enum { SHARED = 1, CLOCK_SHIFT = 1 };

static int get(const pthread_condattr_t *attributes) { return *(const volatile int *)attributes; }

static void set(pthread_condattr_t *attributes, int value) { *(volatile int *)attributes = value; }

int pthread_condattr_init(pthread_condattr_t *attributes) {
  set(attributes, PTHREAD_PROCESS_PRIVATE | CLOCK_REALTIME << CLOCK_SHIFT);
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  set(attributes, (get(attributes) & SHARED) | clock << CLOCK_SHIFT);
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock) {
  *clock = get(attributes) >> CLOCK_SHIFT;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  set(attributes, (get(attributes) & ~SHARED) | shared);
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared) {
  *shared = get(attributes) & SHARED;
  return 0;
}

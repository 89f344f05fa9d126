/*
 * Mutexes. The machine knows who holds one; how often, for a recursive one, is in the library's records. Its kind is in
 * the fourth word or in the fifth, as in glibc's two layouts, and the other one is then zero.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

/*
 * Above zero if the program can set a mutex's kind at run time. Other threads may see that late, so then reading the
 * kind is a step. Below zero if the program's own type has no room for a kind: only its first word is a mutex. Set
 * before the program starts.
 */
int __fencepost_kinds = 0;

static int load_kind(pthread_mutex_t *mutex) {
  return __atomic_load_n(&mutex->__words[3], __ATOMIC_RELAXED) | __atomic_load_n(&mutex->__words[4], __ATOMIC_RELAXED);
}

/* Macros, because every lock and unlock uses them: calls would dominate the time. */
#define glance_kind(mutex) (__fencepost_glance(&(mutex)->__words[3]) | __fencepost_glance(&(mutex)->__words[4]))
#define kind_of(mutex)                                      \
  ((__fencepost_glance(&__fencepost_kinds) < 0   ? 0        \
    : __fencepost_glance(&__fencepost_kinds) > 0 ? load_kind(mutex) : glance_kind(mutex)) & (3 | FENCEPOST_ROBUST))

/* Only these record their holder and how often it holds them. */
#define counts(kind) \
  ((kind) == PTHREAD_MUTEX_RECURSIVE || (kind) == PTHREAD_MUTEX_ERRORCHECK || ((kind) & FENCEPOST_ROBUST) != 0)

static void check_state(pthread_mutex_t *mutex, int state) {
  if (state == FENCEPOST_DESTROYED) __fencepost_misuse("use of a mutex that has been destroyed");
  __fencepost_check_mark(state, mutex, "use of a mutex that has not been initialised");
}

static void look_and_check(pthread_mutex_t *mutex) { check_state(mutex, __fencepost_look_at_mark(&mutex->__words[0])); }

/* In any other state, it is in error or its initialiser was assigned. */
#define is_settled(mutex, state)    \
  ((state) == FENCEPOST_READY ||    \
   (((state) == 0 || (state) == __FENCEPOST_INITIALISED) && __fencepost_is_static(mutex)))

/* Before an event on the mutex, and after one. */
#define check(mutex)                                           \
  do {                                                         \
    int state = __fencepost_glance(mutex);                     \
    if (!is_settled(mutex, state)) check_state(mutex, state);  \
  } while (0)

/* The same, but looking at an assigned mark is a step: once per operation. */
#define check_again(mutex)                                \
  do {                                                    \
    int state = __fencepost_glance(mutex);                \
    if (!is_settled(mutex, state)) look_and_check(mutex); \
  } while (0)

void __fencepost_check_mutex(pthread_mutex_t *mutex) { check(mutex); }

int __fencepost_is_robust(pthread_mutex_t *mutex) { return (kind_of(mutex) & FENCEPOST_ROBUST) != 0; }

#define size_of(mutex) (__fencepost_glance(&__fencepost_kinds) < 0 ? sizeof(int) : sizeof *(mutex))

void __fencepost_init_mutex(pthread_mutex_t *mutex, int kind) {
  __fencepost_initialised(mutex, size_of(mutex));
  __fencepost_init_marked(&mutex->__words[0]);
  if (__fencepost_glance(&__fencepost_kinds) < 0) {
    if (kind != PTHREAD_MUTEX_DEFAULT) __fencepost_not_modelled("the kind of a mutex whose type has no room for one");
    return;
  }
  if (kind & FENCEPOST_ROBUST) __fencepost_set(&mutex->__words[1], 0);
  __fencepost_set(&mutex->__words[3], 0);
  if (__fencepost_glance(&__fencepost_kinds)) *(volatile int *)&mutex->__words[4] = kind;
  else __fencepost_set(&mutex->__words[4], kind);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  __fencepost_init_mutex(mutex, attributes ? *(const volatile int *)attributes & (3 | FENCEPOST_ROBUST) : PTHREAD_MUTEX_DEFAULT);
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  check_again(mutex);
  __fencepost_destroy(mutex);
  /* It may have been destroyed in the meantime. */
  check(mutex);
  __fencepost_destroyed(mutex, size_of(mutex));
  __fencepost_mark_destroyed(mutex, FENCEPOST_DESTROYED);
  return 0;
}

/* The result of locking a mutex that the thread already holds; -1 if it does not hold it. */
static int relock(pthread_mutex_t *mutex, int kind, int error) {
  struct __fencepost_hold *hold = __fencepost_find_hold(mutex);
  if (!hold) return -1;
  int type = kind & 3;
  if (type == PTHREAD_MUTEX_ERRORCHECK) return error;
  if (type != PTHREAD_MUTEX_RECURSIVE) return -1;
  __fencepost_count_hold(hold, __fencepost_hold_count(hold) + 1);
  return 0;
}

static int note(pthread_mutex_t *mutex, int kind) {
  __fencepost_add_hold(mutex, 1);
  return kind & FENCEPOST_ROBUST ? __fencepost_robust_locked(mutex) : 0;
}

static int locked(pthread_mutex_t *mutex, int kind) {
  check_again(mutex);
  return counts(kind) ? note(mutex, kind) : 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  check(mutex);
  int kind = kind_of(mutex);
  int again = counts(kind) ? relock(mutex, kind, EDEADLK) : -1;
  if (again >= 0) return again;
  __fencepost_lock(mutex);
  check_again(mutex);
  return counts(kind) ? note(mutex, kind) : 0;
}

static int try(pthread_mutex_t *mutex, int relocked, int busy) {
  check(mutex);
  int kind = kind_of(mutex);
  int again = counts(kind) ? relock(mutex, kind, relocked) : -1;
  if (again >= 0) return again;
  if (__fencepost_trylock(mutex)) return locked(mutex, kind);
  check_again(mutex);
  return busy;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) { return try(mutex, EBUSY, EBUSY); }

/*
 * The step of a trylock may come late, when the mutex is free again, or early: a timed lock has
 * no other outcomes.
 */
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  int result = try(mutex, EDEADLK, ETIMEDOUT);
  return result == ETIMEDOUT ? __fencepost_time_out(deadline) : result;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  return __fencepost_times_waits(clock) ? pthread_mutex_timedlock(mutex, deadline) : EINVAL;
}

/* No other event on the mutex: looking at the mark is a step, which is ordered with the mutex's destruction. */
static int refuse(pthread_mutex_t *mutex) {
  check_state(mutex, __atomic_load_n(&mutex->__words[0], __ATOMIC_RELAXED));
  return EPERM;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  check(mutex);
  int kind = kind_of(mutex);
  if (counts(kind)) {
    struct __fencepost_hold *hold = __fencepost_find_hold(mutex);
    if (!hold) return refuse(mutex);
    if (__fencepost_hold_count(hold) > 1) {
      __fencepost_count_hold(hold, __fencepost_hold_count(hold) - 1);
      return 0;
    }
    __fencepost_drop_hold(mutex);
    if (kind & FENCEPOST_ROBUST) __fencepost_robust_unlocks(mutex);
  }
  __fencepost_unlock(mutex);
  return 0;
}

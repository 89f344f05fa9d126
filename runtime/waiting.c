/*
 * Reader-writer locks, semaphores, spin locks and barriers: atomic operations on the object, as in docs/models.md. Like
 * mutexes, they are taken before they are recorded, and released after.
 */
#include <semaphore.h>

static int acquired(int error, const volatile void *object, uintptr_t place) {
  if (!error) record_atomic(ACQUIRE, object, place);
  else record_failure(place);
  return error;
}

#define ACQUIRING(name, parameters, arguments)                  \
  EXPORTED int name parameters {                                \
    uintptr_t place = CALLER;                                   \
    pause_recording();                                          \
    return acquired(REAL(name) arguments, object, place);       \
  }
#define RELEASING(name, parameters, arguments)                  \
  EXPORTED int name parameters {                                \
    record_atomic(RELEASE, object, CALLER);                     \
    return REAL(name) arguments;                                \
  }

ACQUIRING(pthread_rwlock_rdlock, (pthread_rwlock_t *object), (object))
ACQUIRING(pthread_rwlock_wrlock, (pthread_rwlock_t *object), (object))
ACQUIRING(pthread_rwlock_tryrdlock, (pthread_rwlock_t *object), (object))
ACQUIRING(pthread_rwlock_trywrlock, (pthread_rwlock_t *object), (object))
ACQUIRING(pthread_rwlock_timedrdlock, (pthread_rwlock_t *object, const struct timespec *time), (object, time))
ACQUIRING(pthread_rwlock_timedwrlock, (pthread_rwlock_t *object, const struct timespec *time), (object, time))
#if __GLIBC_PREREQ(2, 30)
ACQUIRING(pthread_rwlock_clockrdlock, (pthread_rwlock_t *object, clockid_t clock, const struct timespec *time),
          (object, clock, time))
ACQUIRING(pthread_rwlock_clockwrlock, (pthread_rwlock_t *object, clockid_t clock, const struct timespec *time),
          (object, clock, time))
ACQUIRING(sem_clockwait, (sem_t *object, clockid_t clock, const struct timespec *time), (object, clock, time))
#endif
RELEASING(pthread_rwlock_unlock, (pthread_rwlock_t *object), (object))

ACQUIRING(sem_wait, (sem_t *object), (object))
ACQUIRING(sem_trywait, (sem_t *object), (object))
ACQUIRING(sem_timedwait, (sem_t *object, const struct timespec *time), (object, time))
RELEASING(sem_post, (sem_t *object), (object))

/* A spin lock is released by a store, which may be late; so the log says what locking waits for: 0, after 1. */
static int try_spin(pthread_spinlock_t *lock, uintptr_t place, int is_last) {
  struct self *self = enter();
  if (!self) return REAL(pthread_spin_trylock)(lock);
  take(self, (uintptr_t)lock, sizeof *lock);
  int error = REAL(pthread_spin_trylock)(lock);
  if (!error) put(self, (struct event){RMW, ACQUIRE, WROTE | AWAITED, NOBODY, 4, (uintptr_t)lock, 0}, place);
  let_go(self);
  leave(self);
  if (error && is_last) record_failure(place);
  return error;
}

EXPORTED int pthread_spin_lock(pthread_spinlock_t *lock) {
  int error;
  while ((error = try_spin(lock, CALLER, 0)) == EBUSY) yield();
  return error;
}

EXPORTED int pthread_spin_trylock(pthread_spinlock_t *lock) { return try_spin(lock, CALLER, 1); }

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *lock) {
  struct self *self = enter();
  if (!self) return REAL(pthread_spin_unlock)(lock);
  take(self, (uintptr_t)lock, sizeof *lock);
  put(self, (struct event){STORE, RELEASE, WROTE, NOBODY, 4, (uintptr_t)lock, 1}, CALLER);
  int error = REAL(pthread_spin_unlock)(lock);
  let_go(self);
  leave(self);
  return error;
}

/*
 * Barriers are our own: the system's do not say which round a thread is in. Arriving writes the word of the round, and
 * leaving reads it. Rounds alternate between two words; none enters the next round but one before all left this one.
 */
struct barrier {
  uint32_t total, arrived;
  _Atomic uint32_t round, waiting;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "a barrier must have room for ours");

EXPORTED int pthread_barrier_init(pthread_barrier_t *object, const pthread_barrierattr_t *attributes, unsigned total) {
  (void)attributes;
  pause_recording();
  if (!total) return EINVAL;
  *(struct barrier *)(void *)object = (struct barrier){total, 0, 0, 0};
  return 0;
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *object) {
  struct barrier *barrier = (struct barrier *)(void *)object;
  static latch unrecorded;
  struct self *self = enter();
  if (self) take(self, (uintptr_t)barrier, sizeof *barrier);
  else close_latch(&unrecorded);
  uint32_t round = atomic_load(&barrier->round);
  const char *word = (const char *)object + 4 * (round % 2);
  int is_last = ++barrier->arrived == barrier->total;
  atomic_fetch_add(&barrier->waiting, 1);
  if (self) put_atomic(self, RELEASE, word, CALLER);
  if (is_last) {
    barrier->arrived = 0;
    atomic_store(&barrier->round, round + 1);
    wake_all(&barrier->round);
  }
  if (self) {
    let_go(self);
    leave(self);
  } else open_latch(&unrecorded);
  while (atomic_load(&barrier->round) == round) wait_while(&barrier->round, round);
  if ((self = enter())) {
    put(self, (struct event){LOAD, ACQUIRE, 0, NOBODY, 4, (uintptr_t)word, 0}, CALLER);
    leave(self);
  }
  atomic_fetch_sub(&barrier->waiting, 1);
  return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

EXPORTED int pthread_barrier_destroy(pthread_barrier_t *object) {
  struct barrier *barrier = (struct barrier *)(void *)object;
  pause_recording();
  while (atomic_load(&barrier->waiting)) yield();
  return 0;
}

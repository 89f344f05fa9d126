/*
 * Mutexes. Recorded while they are held: locking after it, unlocking before it. A failed attempt to lock one is
 * recorded as an event that waits for the thread's stores, as the instruction does, and touches nothing: neither POSIX
 * nor C orders it after the holder's actions.
 */

static void put_object(struct self *self, enum operation operation, const void *object, uintptr_t place) {
  put(self, (struct event){operation, PLAIN, SUCCEEDED, NOBODY, 0, (uintptr_t)object, 0}, place);
}

/* An atomic operation on the words of a lock, a semaphore or the like. */
static void put_atomic(struct self *self, enum order order, const volatile void *object, uintptr_t place) {
  put(self, (struct event){RMW, order, WROTE, NOBODY, 4, (uintptr_t)object, 0}, place);
}

static void record_object(enum operation operation, const void *object, uintptr_t place) {
  struct self *self = enter();
  if (!self) return;
  put_object(self, operation, object, place);
  leave(self);
}

static void record_atomic(enum order order, const volatile void *object, uintptr_t place) {
  struct self *self = enter();
  if (!self) return;
  put_atomic(self, order, object, place);
  leave(self);
}

/* An attempt that failed. */
static void record_failure(uintptr_t place) {
  struct self *self = enter();
  if (!self) return;
  put(self, (struct event){RMW, ACQUIRE, 0, NOBODY, 4, (uintptr_t)&self->number, 0}, place);
  leave(self);
}

static void keep_lock(struct self *self, const void *mutex) {
  if (self->locks < LOCKS) self->locked[self->locks++] = mutex;
  else self->has_more_locks = 1;
}

/* Whether the thread holds the mutex, according to the log; removes one such entry. */
static int drop_lock(struct self *self, const void *mutex) {
  for (uint32_t i = self->locks; i-- > 0;) {
    if (self->locked[i] != mutex) continue;
    for (self->locks--; i < self->locks; i++) self->locked[i] = self->locked[i + 1];
    return 1;
  }
  return self->has_more_locks;
}

static void locked(void *mutex, uintptr_t place) {
  struct self *self = enter();
  if (!self) return;
  put_object(self, LOCK, mutex, place);
  keep_lock(self, mutex);
  leave(self);
}

/* The effect of a function that locks. If the owner of a robust mutex has died, the mutex is still locked. */
static int tried(int error, void *mutex, uintptr_t place) {
  if (!error || error == EOWNERDEAD) locked(mutex, place);
  else record_failure(place);
  return error;
}

#define LOCKING(name, parameters, arguments)                \
  EXPORTED int name parameters {                            \
    uintptr_t place = CALLER;                               \
    pause_recording();                                      \
    return tried(REAL(name) arguments, mutex, place);       \
  }
LOCKING(pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
LOCKING(pthread_mutex_trylock, (pthread_mutex_t *mutex), (mutex))
LOCKING(pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *time), (mutex, time))
#if __GLIBC_PREREQ(2, 30)
LOCKING(pthread_mutex_clocklock, (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time), (mutex, clock, time))
#endif

/*
 * A thread that does not hold the mutex according to the log may get an error; if the mutex's kind does not check this,
 * it is unlocked, and the log says so and will be refused.
 */
static void unlocking(void *mutex, int is_checked, uintptr_t place) {
  struct self *self = enter();
  if (!self) return;
  if (drop_lock(self, mutex) || !is_checked) put_object(self, UNLOCK, mutex, place);
  leave(self);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int kind = mutex->__data.__kind & 3;
  unlocking(mutex, kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK, CALLER);
  return REAL(pthread_mutex_unlock)(mutex);
}

EXPORTED int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  record_object(INIT, mutex, CALLER);
  return REAL(pthread_mutex_init)(mutex, attributes);
}

EXPORTED int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  int error = REAL(pthread_mutex_destroy)(mutex);
  if (!error) record_object(DESTROY, mutex, CALLER);
  return error;
}

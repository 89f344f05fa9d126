/*
 * Condition variables. A wait is recorded before it begins, while the mutex is still held, and ends with a lock of the
 * mutex. A signal is recorded and sent with the stripe of the condition variable held, and so is the beginning of a
 * wait: a signal that comes before a wait in the log did not wake it. It is not known which thread it woke. What a
 * signal handler does while its thread waits is not recorded: in the log, a waiting thread does nothing.
 */

struct wait {
  void *condition, *mutex;
  uintptr_t place;
};

static int begin_wait(const struct wait *wait) {
  struct self *self = enter();
  if (!self) return 0;
  take(self, (uintptr_t)wait->condition, 1);
  put(self, (struct event){.operation = WAIT, .other = NOBODY, .address = (uintptr_t)wait->condition, .value = (uintptr_t)wait->mutex},
      wait->place);
  let_go(self);
  self->is_waiting = 1;
  return 1;
}

static void end_wait(const struct wait *wait, int has_given_up) {
  struct self *self = known_self();
  self->is_waiting = 0;
  if (has_given_up) put_object(self, WAKE, wait->condition, wait->place);
  put_object(self, LOCK, wait->mutex, wait->place);
  leave(self);
}

/* A cancelled thread has its mutex again when its handlers run. */
static void cancel_wait(void *argument) {
  if (known_self() && known_self()->is_waiting) end_wait(argument, 1);
}

#define WAITING(name, parameters, arguments)                          \
  EXPORTED int name parameters {                                      \
    struct wait wait = {condition, mutex, CALLER};                    \
    int error;                                                        \
    int is_recorded = begin_wait(&wait);                              \
    pthread_cleanup_push(cancel_wait, &wait);                         \
    error = REAL(name) arguments;                                     \
    pthread_cleanup_pop(0);                                           \
    if (is_recorded) end_wait(&wait, error != 0);                     \
    return error;                                                     \
  }
WAITING(pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex), (condition, mutex))
WAITING(pthread_cond_timedwait, (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time),
        (condition, mutex, time))
#if __GLIBC_PREREQ(2, 30)
WAITING(pthread_cond_clockwait,
        (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time),
        (condition, mutex, clock, time))
#endif

#define WAKING(name, operation, type)                                                                             \
  EXPORTED int name(type *condition) {                                                                            \
    struct self *self = enter();                                                                                  \
    if (!self) return REAL(name)(condition);                                                                      \
    take(self, (uintptr_t)condition, 1);                                                                          \
    put(self, (struct event){operation, PLAIN, 0, NOBODY, 0, (uintptr_t)condition, 0}, CALLER);                   \
    int error = REAL(name)(condition);                                                                            \
    let_go(self);                                                                                                 \
    leave(self);                                                                                                  \
    return error;                                                                                                 \
  }
WAKING(pthread_cond_signal, SIGNAL, pthread_cond_t)
WAKING(pthread_cond_broadcast, BROADCAST, pthread_cond_t)

EXPORTED int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  record_object(INIT, condition, CALLER);
  return REAL(pthread_cond_init)(condition, attributes);
}

EXPORTED int pthread_cond_destroy(pthread_cond_t *condition) {
  pause_recording();
  int error = REAL(pthread_cond_destroy)(condition);
  if (!error) record_object(DESTROY, condition, CALLER);
  return error;
}

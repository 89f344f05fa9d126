/* Threads, mutexes and condition variables: pthread.h and the machine mean the same things, with other names. */
#include <errno.h>
#include <fencepost/machine.h>
#include <pthread.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  (void)attributes;
  *thread = (pthread_t)__fencepost_spawn(function, argument);
  return 0;
}

int pthread_join(pthread_t thread, void **result) {
  void *value = __fencepost_join((int)thread);
  if (result) *result = value;
  return 0;
}

/* A thread that nobody joins is no error, so there is nothing to give up. */
int pthread_detach(pthread_t thread) {
  (void)thread;
  return 0;
}

void pthread_exit(void *result) { __fencepost_thread_exit(result); }

pthread_t pthread_self(void) { return (pthread_t)__fencepost_self(); }

int pthread_equal(pthread_t left, pthread_t right) { return left == right; }

int pthread_attr_init(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  (void)attributes;
  return state == PTHREAD_CREATE_JOINABLE || state == PTHREAD_CREATE_DETACHED ? 0 : EINVAL;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  (void)mutex;
  (void)attributes;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  __fencepost_lock(mutex);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) { return __fencepost_trylock(mutex) ? 0 : EBUSY; }

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  __fencepost_unlock(mutex);
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)condition;
  (void)attributes;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  __fencepost_wait(condition, mutex);
  return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  __fencepost_signal(condition);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  __fencepost_broadcast(condition);
  return 0;
}

int pthread_condattr_init(pthread_condattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  (void)attributes;
  return 0;
}

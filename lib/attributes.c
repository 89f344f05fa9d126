/* Thread attributes, only one of which has an effect. A separate file, since few programs use them. */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

static void set(pthread_attr_t *attributes, int word, int value) {
  *(volatile int *)&attributes->__words[word] = value;
}

static int get(const pthread_attr_t *attributes, int word) { return *(const volatile int *)&attributes->__words[word]; }

int pthread_attr_init(pthread_attr_t *attributes) {
  for (int word = __FENCEPOST_DETACHED; word <= __FENCEPOST_PRIORITY; word++) set(attributes, word, 0);
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  set(attributes, __FENCEPOST_DETACHED, state);
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = get(attributes, __FENCEPOST_DETACHED);
  return 0;
}

/* Stored, but without any effect. */
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  if (size < PTHREAD_STACK_MIN) return EINVAL;
  set(attributes, __FENCEPOST_STACK_SIZE, (int)size);
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size) {
  int given = get(attributes, __FENCEPOST_STACK_SIZE);
  *size = given ? (size_t)given : 8u << 20;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  set(attributes, __FENCEPOST_GUARD_SIZE, (int)size + 1);
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) {
  int guard = get(attributes, __FENCEPOST_GUARD_SIZE);
  *size = guard ? (size_t)(guard - 1) : 4096;
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  (void)attributes;
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope) {
  (void)attributes;
  *scope = PTHREAD_SCOPE_SYSTEM;
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED) return EINVAL;
  set(attributes, __FENCEPOST_INHERIT, inherit);
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit) {
  *inherit = get(attributes, __FENCEPOST_INHERIT);
  return 0;
}

/* Priorities within a policy are those of sched_get_priority_min and _max. */
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR) return EINVAL;
  set(attributes, __FENCEPOST_POLICY, policy);
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy) {
  *policy = get(attributes, __FENCEPOST_POLICY);
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters) {
  int priority = *(const volatile int *)&parameters->sched_priority;
  if (priority < 0 || priority > 99) return EINVAL;
  set(attributes, __FENCEPOST_PRIORITY, priority);
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters) {
  *(volatile int *)&parameters->sched_priority = get(attributes, __FENCEPOST_PRIORITY);
  return 0;
}

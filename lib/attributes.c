/* Thread attributes, only one of which has an effect. A separate file, since few programs use them. */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

int pthread_attr_init(pthread_attr_t *attributes) {
  *(volatile int *)&attributes->__words[__FENCEPOST_DETACHED] = PTHREAD_CREATE_JOINABLE;
  *(volatile int *)&attributes->__words[__FENCEPOST_STACK_SIZE] = 0;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  *(volatile int *)&attributes->__words[__FENCEPOST_DETACHED] = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = *(const volatile int *)&attributes->__words[__FENCEPOST_DETACHED];
  return 0;
}

/* Stored, but without any effect. */
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  if (size < PTHREAD_STACK_MIN) return EINVAL;
  *(volatile int *)&attributes->__words[__FENCEPOST_STACK_SIZE] = (int)size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size) {
  int set = *(const volatile int *)&attributes->__words[__FENCEPOST_STACK_SIZE];
  *size = set ? (size_t)set : 8u << 20;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  (void)attributes;
  (void)size;
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  (void)attributes;
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
  (void)attributes;
  return inherit == PTHREAD_INHERIT_SCHED || inherit == PTHREAD_EXPLICIT_SCHED ? 0 : EINVAL;
}

/*
 * Attributes of mutexes, in one word: the type, whether the mutex is robust, and what is only stored. There is one
 * process and there are no priorities, so the others have no effect.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

enum { TYPE = 3, SHARED = 32, PROTOCOL_SHIFT = 6, PROTOCOL = 3 << PROTOCOL_SHIFT, CEILING_SHIFT = 8, CEILING = 0xff << CEILING_SHIFT };

static int get(const pthread_mutexattr_t *attributes) { return *(const volatile int *)attributes; }

static void set(pthread_mutexattr_t *attributes, int bits, int value) {
  *(volatile int *)attributes = (get(attributes) & ~bits) | value;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  *(volatile int *)attributes = PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  set(attributes, TYPE, type);
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type) {
  *type = get(attributes) & TYPE;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  set(attributes, SHARED, shared == PTHREAD_PROCESS_SHARED ? SHARED : 0);
  return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
  *shared = get(attributes) & SHARED ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  set(attributes, PROTOCOL, protocol << PROTOCOL_SHIFT);
  return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  *protocol = (get(attributes) & PROTOCOL) >> PROTOCOL_SHIFT;
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
  if (ceiling < 1 || ceiling > 99) return EINVAL;
  set(attributes, CEILING, ceiling << CEILING_SHIFT);
  return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling) {
  int set = (get(attributes) & CEILING) >> CEILING_SHIFT;
  *ceiling = set ? set : 1;
  return 0;
}

#include <pthread.h>
#include <sched.h>

int pthread_yield(void) { return sched_yield(); }

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
  return sched_setaffinity((pid_t)thread, size, set);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  return sched_getaffinity((pid_t)thread, size, set);
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set) {
  (void)attributes;
  return sched_setaffinity(0, size, set);
}

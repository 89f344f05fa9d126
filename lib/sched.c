#include <errno.h>
#include <fencepost/machine.h>
#include <sched.h>

int sched_yield(void) {
  __fencepost_yield();
  return 0;
}

static int is_policy(int policy) { return policy >= SCHED_OTHER && policy <= SCHED_RR; }

int sched_get_priority_min(int policy) {
  if (is_policy(policy)) return policy == SCHED_OTHER ? 0 : 1;
  errno = EINVAL;
  return -1;
}

int sched_get_priority_max(int policy) {
  if (is_policy(policy)) return policy == SCHED_OTHER ? 0 : 99;
  errno = EINVAL;
  return -1;
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set) {
  (void)thread;
  (void)size;
  (void)set;
  return 0;
}

/* As many as sysconf says. */
int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  (void)size;
  CPU_ZERO(set);
  CPU_SET(0, set);
  CPU_SET(1, set);
  return 0;
}

int sched_getcpu(void) { return (__fencepost_self() - 1) % 64; }

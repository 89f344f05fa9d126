/* Every thread has the policy that threads have by default, and only a privileged program could change that. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters) {
  (void)thread;
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
  (void)thread;
  return priority == 0 ? 0 : EINVAL;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
  int least = sched_get_priority_min(policy);
  int most = sched_get_priority_max(policy);
  if (least < 0 || parameters->sched_priority < least || parameters->sched_priority > most) return EINVAL;
  return policy == SCHED_OTHER ? pthread_setschedprio(thread, parameters->sched_priority) : EPERM;
}

#include <errno.h>
#include <fencepost/library.h>
#include <sys/time.h>
#include <time.h>

enum { SECOND = 1000000000 };

time_t time(time_t *result) {
  time_t now = (time_t)(__fencepost_clock() / SECOND);
  if (result) *result = now;
  return now;
}

clock_t clock(void) { return (clock_t)(__fencepost_clock() / 1000 % 1000000000); }

double difftime(time_t end, time_t start) { return (double)end - (double)start; }

static int fail(int error) {
  errno = error;
  return -1;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  if (clock < CLOCK_REALTIME || clock > CLOCK_BOOTTIME) return fail(EINVAL);
  long long now = __fencepost_clock();
  result->tv_sec = (time_t)(now / SECOND);
  result->tv_nsec = (long)(now % SECOND);
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *result) {
  if (clock < CLOCK_REALTIME || clock > CLOCK_BOOTTIME) return fail(EINVAL);
  if (result) {
    result->tv_sec = 0;
    result->tv_nsec = 1;
  }
  return 0;
}

int timespec_get(struct timespec *result, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, result) == 0 ? base : 0;
}

int gettimeofday(struct timeval *__restrict result, void *__restrict zone) {
  (void)zone;
  long long now = __fencepost_clock() / 1000;
  result->tv_sec = (time_t)(now / 1000000);
  result->tv_usec = (suseconds_t)(now % 1000000);
  return 0;
}

/* 0 or an error. */
static int sleep_for(const struct timespec *duration) {
  __fencepost_cancellation_point();
  long nanoseconds = duration->tv_nsec;
  time_t seconds = duration->tv_sec;
  if (nanoseconds < 0 || nanoseconds >= SECOND || seconds < 0) return EINVAL;
  __fencepost_sleep((long long)seconds * SECOND + nanoseconds);
  __fencepost_yield();
  return 0;
}

/* Never interrupted, so there is never any time left. */
int nanosleep(const struct timespec *duration, struct timespec *rest) {
  (void)rest;
  int error = sleep_for(duration);
  return error == 0 ? 0 : fail(error);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *rest) {
  (void)clock;
  (void)rest;
  if (!(flags & TIMER_ABSTIME)) return sleep_for(duration);
  __fencepost_cancellation_point();
  long long rest_of_it = (long long)duration->tv_sec * SECOND + duration->tv_nsec - __fencepost_clock();
  if (rest_of_it > 0) __fencepost_sleep(rest_of_it);
  __fencepost_yield();
  return 0;
}

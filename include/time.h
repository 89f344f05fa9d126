#ifndef FENCEPOST_TIME_H
#define FENCEPOST_TIME_H

#include <fencepost/types.h>

/*
 * Clocks are logical. Each thread has its own, which starts at the same time and goes on by a millisecond with every look
 * at it, and by the duration with every sleep. Any sleep may end at once: others may run as they may at any moment.
 */
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define TIME_UTC 1

time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t start);
int clock_gettime(clockid_t clock, struct timespec *result);
int clock_getres(clockid_t clock, struct timespec *result);
int timespec_get(struct timespec *result, int base);
int nanosleep(const struct timespec *duration, struct timespec *rest);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *rest);

#endif

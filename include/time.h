#ifndef FENCEPOST_TIME_H
#define FENCEPOST_TIME_H

#include <fencepost/timeval.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Clocks are logical. Each thread has its own, which starts at the same time and advances by a millisecond with every
 * reading, and by the duration with every sleep. Any sleep may end at once: other threads may run at any moment anyway.
 */
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
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

/* The local time is UTC. */
struct tm *gmtime(const time_t *time);
struct tm *gmtime_r(const time_t *__restrict time, struct tm *__restrict result);
struct tm *localtime(const time_t *time);
struct tm *localtime_r(const time_t *__restrict time, struct tm *__restrict result);
time_t mktime(struct tm *time);
time_t timegm(struct tm *time);
char *asctime(const struct tm *time);
char *asctime_r(const struct tm *__restrict time, char *__restrict buffer);
char *ctime(const time_t *time);
char *ctime_r(const time_t *time, char *buffer);
size_t strftime(char *__restrict buffer, size_t size, const char *__restrict format, const struct tm *__restrict time);

struct itimerspec {
  struct timespec it_interval;
  struct timespec it_value;
};

/* Declared only. */
struct sigevent;
int timer_create(clockid_t clock, struct sigevent *__restrict event, void **__restrict timer);
int timer_delete(void *timer);
int timer_settime(void *timer, int flags, const struct itimerspec *__restrict value, struct itimerspec *__restrict old);
int timer_gettime(void *timer, struct itimerspec *value);
int clock_settime(clockid_t clock, const struct timespec *time);
int clock_getcpuclockid(pid_t process, clockid_t *clock);
char *strptime(const char *__restrict text, const char *__restrict format, struct tm *__restrict time);
void tzset(void);
extern char *tzname[2];
extern long timezone;
extern int daylight;

#ifdef __cplusplus
}
#endif

#endif

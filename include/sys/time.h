#ifndef FENCEPOST_SYS_TIME_H
#define FENCEPOST_SYS_TIME_H

#include <fencepost/timeval.h>
#include <sys/select.h>

#ifdef __cplusplus
extern "C" {
#endif

struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};

#define timerclear(t) ((void)((t)->tv_sec = (t)->tv_usec = 0))
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op(b)->tv_usec : (a)->tv_sec op(b)->tv_sec)
#define timeradd(a, b, sum)                                          \
  do {                                                               \
    long __usec = (a)->tv_usec + (b)->tv_usec;                       \
    (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec + __usec / 1000000;    \
    (sum)->tv_usec = __usec % 1000000;                               \
  } while (0)
#define timersub(a, b, difference)                                   \
  do {                                                               \
    long __usec = (a)->tv_usec - (b)->tv_usec;                       \
    (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec - (__usec < 0); \
    (difference)->tv_usec = __usec < 0 ? __usec + 1000000 : __usec;  \
  } while (0)

/* The time zone must be null. */
int gettimeofday(struct timeval *__restrict result, void *__restrict zone);

struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

/* Declared only. */
int settimeofday(const struct timeval *time, const struct timezone *zone);
int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *__restrict value, struct itimerval *__restrict old);
int utimes(const char *path, const struct timeval times[2]);
int futimes(int file, const struct timeval times[2]);

#ifdef __cplusplus
}
#endif

#endif

#ifndef FENCEPOST_SYS_TIME_H
#define FENCEPOST_SYS_TIME_H

#include <fencepost/types.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
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

#endif

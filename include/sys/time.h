#ifndef FENCEPOST_SYS_TIME_H
#define FENCEPOST_SYS_TIME_H

#include <fencepost/types.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

/* The time zone must be null. */
int gettimeofday(struct timeval *__restrict result, void *__restrict zone);

#endif

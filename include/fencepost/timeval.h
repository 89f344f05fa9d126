#ifndef FENCEPOST_FENCEPOST_TIMEVAL_H
#define FENCEPOST_FENCEPOST_TIMEVAL_H

/* The two kinds of times, which several headers define. */
#include <fencepost/types.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

#endif

#ifndef FENCEPOST_TIME_H
#define FENCEPOST_TIME_H

#include <fencepost/types.h>

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

/* Time does not pass: any sleep may end at once, and other threads may run meanwhile as they may at any moment. */
int nanosleep(const struct timespec *duration, struct timespec *rest);

#endif

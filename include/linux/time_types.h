#ifndef FENCEPOST_LINUX_TIME_TYPES_H
#define FENCEPOST_LINUX_TIME_TYPES_H

#include <linux/types.h>

struct __kernel_timespec {
  long long tv_sec;
  long long tv_nsec;
};
struct __kernel_itimerspec {
  struct __kernel_timespec it_interval;
  struct __kernel_timespec it_value;
};

#endif

#include <fencepost/machine.h>
#include <time.h>

int nanosleep(const struct timespec *duration, struct timespec *rest) {
  (void)duration;
  (void)rest;
  __fencepost_yield();
  return 0;
}

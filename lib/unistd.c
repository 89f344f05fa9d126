#include <fencepost/machine.h>
#include <unistd.h>

unsigned sleep(unsigned seconds) {
  (void)seconds;
  __fencepost_yield();
  return 0;
}

int usleep(useconds_t microseconds) {
  (void)microseconds;
  __fencepost_yield();
  return 0;
}

void _exit(int status) { __fencepost_exit(status); }

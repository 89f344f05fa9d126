#include <fencepost/machine.h>
#include <sched.h>

int sched_yield(void) {
  __fencepost_yield();
  return 0;
}

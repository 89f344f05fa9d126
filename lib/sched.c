#include <fencepost/machine.h>
#include <sched.h>

int sched_yield(void) {
  __fencepost_yield();
  return 0;
}

int sched_getcpu(void) { return (__fencepost_self() - 1) % 64; }

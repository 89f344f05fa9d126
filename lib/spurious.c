/* What may happen spuriously, with `--spurious`. */
#include <fencepost/library.h>

int __fencepost_spurious = 0;

static int happens(int *times) {
  int so_far = __fencepost_glance(times);
  if (so_far >= __fencepost_glance(&__fencepost_spurious) || !__fencepost_choose(2)) return 0;
  __fencepost_poke(times, so_far + 1);
  return 1;
}

int __fencepost_wakes_up(void) {
  static __thread int times;
  return happens(&times);
}

/* Before each weak compare-exchange of the program, with `--spurious`. */
int __fencepost_fails_to_exchange(void) {
  static __thread int times;
  return happens(&times);
}

#include <fencepost/library.h>

/* 2024-01-01, in seconds. */
enum { START = 1704067200, LOOK = 1000000 };

long long __fencepost_clock(long long sleep) {
  /* Two words, because the books have no wider ones. */
  static __thread unsigned low, high;
  long long now = (unsigned)__fencepost_glance(&low) | (long long)__fencepost_glance(&high) << 32;
  now += sleep + LOOK;
  __fencepost_poke(&low, (int)now);
  __fencepost_poke(&high, (int)(now >> 32));
  return START * 1000000000LL + now;
}

/*
 * Each thread has a clock of its own, independent of the others: of two threads, either may be ahead, even after
 * one has waited for the other.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <time.h>

/* 2024-01-01, in seconds. */
enum { START = 1704067200, LOOK = 1000000 };

/* Two words, because invisible accesses are no wider. */
static __thread unsigned low, high;

static long long read_clock(void) {
  return (unsigned)__fencepost_glance(&low) | (long long)__fencepost_glance(&high) << 32;
}

long long __fencepost_clock(void) {
  long long now = read_clock() + LOOK;
  __fencepost_poke(&low, (int)now);
  __fencepost_poke(&high, (int)(now >> 32));
  return START * 1000000000LL + now;
}

/* Sleeping does not make an iteration of a waiting loop count as progress; reading the clock does. */
void __fencepost_sleep(long long nanoseconds) {
  long long now = read_clock() + nanoseconds;
  __fencepost_idle_poke(&low, (int)now);
  __fencepost_idle_poke(&high, (int)(now >> 32));
}

int __fencepost_check_deadline(const struct timespec *deadline) {
  long nanoseconds = *(const volatile long *)&deadline->tv_nsec;
  return nanoseconds < 0 || nanoseconds >= 1000000000 ? EINVAL : 0;
}

int __fencepost_times_waits(int clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

int __fencepost_time_out(const struct timespec *deadline) {
  long nanoseconds = *(const volatile long *)&deadline->tv_nsec;
  if (nanoseconds < 0 || nanoseconds >= 1000000000) return EINVAL;
  long long end = (*(const volatile time_t *)&deadline->tv_sec - (long long)START) * 1000000000 + nanoseconds;
  long long rest = end - read_clock();
  if (rest > 0) __fencepost_sleep(rest);
  return ETIMEDOUT;
}

/*
 * Seeded and the same in every run. All threads share one sequence: which thread gets which number depends on their
 * order, so once there are several, taking a number is one atomic step, as with glibc's lock.
 */
#include <fencepost/library.h>
#include <stdlib.h>

static unsigned next(unsigned state) { return state * 1664525u + 1013904223u; }

/* The upper bits are the better ones. */
static int value_of(unsigned first, unsigned second) {
  return (int)((first >> 16 << 15 | second >> 17) & RAND_MAX);
}

/* An arithmetic progression, which one addition continues; the numbers are hashes of it. */
enum { STRIDE = 0x61c88647 };
static unsigned place;

/* The last steps of MurmurHash3. */
static int hash(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return (int)((x ^ x >> 16) & RAND_MAX);
}

int rand(void) {
  if (__fencepost_glance(&__fencepost_threaded)) return hash(__atomic_add_fetch(&place, STRIDE, __ATOMIC_RELAXED));
  unsigned now = (unsigned)__fencepost_glance(&place) + STRIDE;
  __fencepost_poke(&place, (int)now);
  return hash(now);
}

/* As before the first call, if the seed is 1. */
void srand(unsigned seed) {
  if (__fencepost_glance(&__fencepost_threaded)) __atomic_store_n(&place, seed - 1, __ATOMIC_RELAXED);
  else __fencepost_poke(&place, (int)(seed - 1));
}

int rand_r(unsigned *seed) {
  unsigned first = next(*seed);
  unsigned second = next(first);
  *seed = second;
  return value_of(first, second);
}

long random(void) { return rand(); }

void srandom(unsigned seed) { srand(seed); }

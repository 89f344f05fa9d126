/* Seeded and the same in every run. Each thread has a sequence of its own. */
#include <fencepost/machine.h>
#include <stdlib.h>

static unsigned next(unsigned state) { return state * 1664525u + 1013904223u; }

/* The upper bits are the better ones. */
static int value_of(unsigned first, unsigned second) {
  return (int)((first >> 16 << 15 | second >> 17) & RAND_MAX);
}

static __thread unsigned state;

int rand(void) {
  unsigned first = next((unsigned)__fencepost_glance(&state));
  unsigned second = next(first);
  __fencepost_poke(&state, (int)second);
  return value_of(first, second);
}

void srand(unsigned seed) { __fencepost_poke(&state, (int)(seed - 1)); }

int rand_r(unsigned *seed) {
  unsigned first = next(*seed);
  unsigned second = next(first);
  *seed = second;
  return value_of(first, second);
}

long random(void) { return rand(); }

void srandom(unsigned seed) { srand(seed); }

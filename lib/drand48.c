/*
 * POSIX defines these sequences. All threads share one, and may get the same number: taking one is a load and a store,
 * as in glibc.
 */
#include <stdlib.h>

typedef unsigned long long state;

static state next(state x) { return (x * 0x5deece66dull + 11) & 0xffffffffffffull; }

static state now;

static void set(state x) { __atomic_store_n(&now, x, __ATOMIC_RELAXED); }

static state step(void) {
  state x = next(__atomic_load_n(&now, __ATOMIC_RELAXED));
  set(x);
  return x;
}

static state step_in(unsigned short words[3]) {
  state x = next(words[0] | (state)words[1] << 16 | (state)words[2] << 32);
  words[0] = (unsigned short)x;
  words[1] = (unsigned short)(x >> 16);
  words[2] = (unsigned short)(x >> 32);
  return x;
}

void srand48(long seed) { set((state)(unsigned)seed << 16 | 0x330e); }

double drand48(void) { return (double)step() * 0x1p-48; }

long lrand48(void) { return (long)(step() >> 17); }

long mrand48(void) { return (int)(step() >> 16); }

double erand48(unsigned short words[3]) { return (double)step_in(words) * 0x1p-48; }

long nrand48(unsigned short words[3]) { return (long)(step_in(words) >> 17); }

long jrand48(unsigned short words[3]) { return (int)(step_in(words) >> 16); }

/* POSIX defines these sequences. Each thread has its own, as with rand. */
#include <fencepost/machine.h>
#include <stdlib.h>

typedef unsigned long long state;

static state next(state x) { return (x * 0x5deece66dull + 11) & 0xffffffffffffull; }

static __thread unsigned low, high;

static state step(void) {
  state x = next((unsigned)__fencepost_glance(&low) | (state)(unsigned)__fencepost_glance(&high) << 32);
  __fencepost_poke(&low, (int)x);
  __fencepost_poke(&high, (int)(x >> 32));
  return x;
}

static state step_in(unsigned short words[3]) {
  state x = next(words[0] | (state)words[1] << 16 | (state)words[2] << 32);
  words[0] = (unsigned short)x;
  words[1] = (unsigned short)(x >> 16);
  words[2] = (unsigned short)(x >> 32);
  return x;
}

void srand48(long seed) {
  __fencepost_poke(&low, (int)((unsigned)seed << 16 | 0x330e));
  __fencepost_poke(&high, (int)((unsigned)seed >> 16));
}

double drand48(void) { return (double)step() * 0x1p-48; }

long lrand48(void) { return (long)(step() >> 17); }

long mrand48(void) { return (int)(step() >> 16); }

double erand48(unsigned short words[3]) { return (double)step_in(words) * 0x1p-48; }

long nrand48(unsigned short words[3]) { return (long)(step_in(words) >> 17); }

long jrand48(unsigned short words[3]) { return (int)(step_in(words) >> 16); }

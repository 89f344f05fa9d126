#include <fencepost/machine.h>
#include <math.h>
#include <stdint.h>

static uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static const uint64_t SIGN = 1ull << 63;

int __fencepost_signbit(double x) { return (bits_of(x) & SIGN) != 0; }

int __fencepost_fpclassify(double x, int is_float) {
  if (isnan(x)) return FP_NAN;
  if (isinf(x)) return FP_INFINITE;
  if (x == 0) return FP_ZERO;
  return fabs(x) < (is_float ? 0x1p-126 : 0x1p-1022) ? FP_SUBNORMAL : FP_NORMAL;
}

double fabs(double x) { return __fencepost_fabs(x); }

double sqrt(double x) { return __fencepost_sqrt(x); }

double floor(double x) { return __fencepost_floor(x); }

double ceil(double x) { return __fencepost_ceil(x); }

double trunc(double x) { return __fencepost_trunc(x); }

double round(double x) { return __fencepost_round(x); }

double fmod(double x, double y) { return __fencepost_fmod(x, y); }

double copysign(double x, double y) { return from_bits((bits_of(x) & ~SIGN) | (bits_of(y) & SIGN)); }

/* Adding and subtracting 2^52 rounds to an integer, half to even. */
double rint(double x) {
  if (!(fabs(x) < 0x1p52)) return x;
  double big = copysign(0x1p52, x);
  return copysign(x + big - big, x);
}

double nearbyint(double x) { return rint(x); }

double fmin(double x, double y) {
  if (isnan(x)) return y;
  if (isnan(y)) return x;
  if (x == y) return signbit(x) ? x : y;
  return x < y ? x : y;
}

double fmax(double x, double y) {
  if (isnan(x)) return y;
  if (isnan(y)) return x;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}

double fdim(double x, double y) { return isnan(x) || isnan(y) ? x + y : x > y ? x - y : 0; }

/* In exact steps, until the last one rounds if the result is subnormal. */
double ldexp(double x, int exponent) {
  for (; exponent > 1023; exponent -= 1023) {
    x *= 0x1p1023;
    if (isinf(x)) return x;
  }
  for (; exponent < -1022; exponent += 969) {
    x *= 0x1p-969;
    if (x == 0) return x;
  }
  return x * from_bits((uint64_t)(exponent + 1023) << 52);
}

double scalbn(double x, int exponent) { return ldexp(x, exponent); }

double scalbln(double x, long exponent) { return ldexp(x, (int)exponent); }

double frexp(double x, int *exponent) {
  int e = 0;
  if (x == 0 || !isfinite(x)) {
    *exponent = 0;
    return x;
  }
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    e = -54;
  }
  uint64_t bits = bits_of(x);
  *exponent = e + (int)(bits >> 52 & 0x7ff) - 1022;
  return from_bits((bits & ~(0x7ffull << 52)) | 1022ull << 52);
}

double modf(double x, double *whole) {
  double integer = trunc(x);
  *whole = integer;
  return isinf(x) ? copysign(0, x) : copysign(x - integer, x);
}

int ilogb(double x) {
  if (x == 0 || isnan(x)) return FP_ILOGB0;
  if (isinf(x)) return 0x7fffffff;
  int exponent;
  frexp(x, &exponent);
  return exponent - 1;
}

double logb(double x) { return x == 0 ? -HUGE_VAL : !isfinite(x) ? x * x : ilogb(x); }

double nan(const char *tag) {
  (void)tag;
  return NAN;
}

/* x minus the nearest multiple of y, the even one if two are equally near. All of it is exact. */
double remquo(double x, double y, int *quotient) {
  *quotient = 0;
  if (!isfinite(x) || isnan(y) || y == 0) return (x * y) / (x * y);
  if (isinf(y)) return x;
  double size = fabs(y);
  if (fabs(x) <= size / 2) return x;
  if (size >= 0x1p1020) return 16 * remquo(x / 16, y / 16, quotient);
  /* Eight multiples are enough to know the last bits of the quotient. */
  double rest = fabs(fmod(x, 8 * size));
  int count = 0;
  for (int part = 4; part >= 1; part /= 2) {
    if (rest < part * size) continue;
    rest -= part * size;
    count += part;
  }
  double other = size - rest;
  if (rest > other || (rest == other && count % 2 == 1)) {
    rest -= size;
    count++;
  }
  *quotient = signbit(x) != signbit(y) ? -(count % 8) : count % 8;
  return signbit(x) ? -rest : rest;
}

double remainder(double x, double y) {
  int quotient;
  return remquo(x, y, &quotient);
}

double nextafter(double x, double y) {
  if (isnan(x) || isnan(y)) return x + y;
  if (x == y) return y;
  if (x == 0) return copysign(from_bits(1), y);
  uint64_t bits = bits_of(x);
  return from_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

long lround(double x) { return (long)round(x); }

long lrint(double x) { return (long)rint(x); }

long long llround(double x) { return (long long)round(x); }

long long llrint(double x) { return (long long)rint(x); }

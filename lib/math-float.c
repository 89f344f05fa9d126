/* The float functions that can be computed through double: they are exact, or still rounded only once. */
#include <math.h>
#include <stdint.h>

float fabsf(float x) { return (float)fabs(x); }

float sqrtf(float x) { return (float)sqrt(x); }

float floorf(float x) { return (float)floor(x); }

float ceilf(float x) { return (float)ceil(x); }

float truncf(float x) { return (float)trunc(x); }

float roundf(float x) { return (float)round(x); }

float rintf(float x) { return (float)rint(x); }

float nearbyintf(float x) { return (float)nearbyint(x); }

float logbf(float x) { return (float)logb(x); }

float fmodf(float x, float y) { return (float)fmod(x, y); }

float remainderf(float x, float y) { return (float)remainder(x, y); }

float fminf(float x, float y) { return (float)fmin(x, y); }

float fmaxf(float x, float y) { return (float)fmax(x, y); }

float fdimf(float x, float y) { return (float)fdim(x, y); }

float copysignf(float x, float y) { return (float)copysign(x, y); }

float ldexpf(float x, int exponent) { return (float)ldexp(x, exponent); }

float scalbnf(float x, int exponent) { return (float)ldexp(x, exponent); }

float scalblnf(float x, long exponent) { return (float)ldexp(x, (int)exponent); }

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

int ilogbf(float x) { return ilogb(x); }

float remquof(float x, float y, int *quotient) { return (float)remquo(x, y, quotient); }

float nanf(const char *tag) { return (float)nan(tag); }

float modff(float x, float *whole) {
  float integer = truncf(x);
  *whole = integer;
  return isinf(x) ? copysignf(0, x) : copysignf(x - integer, x);
}

float nextafterf(float x, float y) {
  if (isnan(x) || isnan(y)) return x + y;
  if (x == y) return y;
  if (x == 0) return copysignf(0x1p-149f, y);
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = (x < y) == (x > 0) ? bits + 1 : bits - 1;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* Rounded twice, so in rare cases not to the nearest. */
float powf(float x, float y) { return (float)pow(x, y); }

/* The product is exact; the sum is rounded to odd, so that rounding it again is correct. */
float fmaf(float x, float y, float z) {
  double product = (double)x * y, sum = product + z;
  uint64_t bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  if (isfinite(sum) && (bits & 1) == 0) {
    double back = sum - product, error = (product - (sum - back)) + (z - back);
    if (error != 0) bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    __builtin_memcpy(&sum, &bits, sizeof sum);
  }
  return (float)sum;
}

long lroundf(float x) { return lround(x); }

long lrintf(float x) { return lrint(x); }

long long llroundf(float x) { return llround(x); }

long long llrintf(float x) { return llrint(x); }

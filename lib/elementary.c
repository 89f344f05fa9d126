/* The elementary functions of <math.h>; those of one argument are the machine's (src/machine/code/elementary.ts). */
#include <fencepost/machine.h>
#include <math.h>

double exp(double x) { return __fencepost_exp(x); }

double exp2(double x) { return __fencepost_exp2(x); }

double expm1(double x) { return __fencepost_expm1(x); }

double log(double x) { return __fencepost_log(x); }

double log2(double x) { return __fencepost_log2(x); }

double log10(double x) { return __fencepost_log10(x); }

double log1p(double x) { return __fencepost_log1p(x); }

double sin(double x) { return __fencepost_sin(x); }

double cos(double x) { return __fencepost_cos(x); }

double tan(double x) { return __fencepost_tan(x); }

double asin(double x) { return __fencepost_asin(x); }

double acos(double x) { return __fencepost_acos(x); }

double atan(double x) { return __fencepost_atan(x); }

double sinh(double x) { return __fencepost_sinh(x); }

double cosh(double x) { return __fencepost_cosh(x); }

double tanh(double x) { return __fencepost_tanh(x); }

double asinh(double x) { return __fencepost_asinh(x); }

double acosh(double x) { return __fencepost_acosh(x); }

double atanh(double x) { return __fencepost_atanh(x); }

double cbrt(double x) { return __fencepost_cbrt(x); }

/* The angle in the first quadrant, then the quadrant of the point. */
double atan2(double y, double x) {
  if (isnan(x) || isnan(y)) return x + y;
  double angle;
  if (y == 0) angle = 0;
  else if (isinf(y) && isinf(x)) angle = M_PI_4;
  else angle = atan(fabs(y / x));
  return copysign(signbit(x) ? M_PI - angle : angle, y);
}

/* Scaled by powers of two, so that no square overflows or underflows. */
double hypot(double x, double y) {
  if (isinf(x) || isinf(y)) return HUGE_VAL;
  double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
  if (isnan(x) || isnan(y) || small == 0) return x != x ? x : y != y ? y : large;
  int exponent;
  large = frexp(large, &exponent);
  small = ldexp(small, -exponent);
  return ldexp(sqrt(large * large + small * small), exponent);
}

float expf(float x) { return (float)exp(x); }

float exp2f(float x) { return (float)exp2(x); }

float expm1f(float x) { return (float)expm1(x); }

float logf(float x) { return (float)log(x); }

float log2f(float x) { return (float)log2(x); }

float log10f(float x) { return (float)log10(x); }

float log1pf(float x) { return (float)log1p(x); }

float sinf(float x) { return (float)sin(x); }

float cosf(float x) { return (float)cos(x); }

float tanf(float x) { return (float)tan(x); }

float asinf(float x) { return (float)asin(x); }

float acosf(float x) { return (float)acos(x); }

float atanf(float x) { return (float)atan(x); }

float sinhf(float x) { return (float)sinh(x); }

float coshf(float x) { return (float)cosh(x); }

float tanhf(float x) { return (float)tanh(x); }

float asinhf(float x) { return (float)asinh(x); }

float acoshf(float x) { return (float)acosh(x); }

float atanhf(float x) { return (float)atanh(x); }

float cbrtf(float x) { return (float)cbrt(x); }

float atan2f(float y, float x) { return (float)atan2(y, x); }

float hypotf(float x, float y) { return (float)hypot(x, y); }

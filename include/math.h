#ifndef FENCEPOST_MATH_H
#define FENCEPOST_MATH_H

/* What can be computed exactly, or rounded once. There is no long double, and errno is left alone. */
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) == HUGE_VAL || (x) == -HUGE_VAL)
#define isfinite(x) ((x) - (x) == 0)
#define isnormal(x) (fpclassify(x) == FP_NORMAL)
#define signbit(x) __fencepost_signbit((double)(x))
#define fpclassify(x) __fencepost_fpclassify((double)(x), sizeof(x) == sizeof(float))
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define isunordered(x, y) (isnan(x) || isnan(y))

int __fencepost_signbit(double x);
int __fencepost_fpclassify(double x, int is_float);

double fabs(double x);
double sqrt(double x);
double floor(double x);
double ceil(double x);
double trunc(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
double fmod(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
double fdim(double x, double y);
double copysign(double x, double y);
double ldexp(double x, int exponent);
double scalbn(double x, int exponent);
double frexp(double x, int *exponent);
double modf(double x, double *whole);
double nextafter(double x, double y);
double pow(double x, double y);
long lround(double x);
long lrint(double x);
__extension__ long long llround(double x);
__extension__ long long llrint(double x);

float fabsf(float x);
float sqrtf(float x);
float floorf(float x);
float ceilf(float x);
float truncf(float x);
float roundf(float x);
float rintf(float x);
float fmodf(float x, float y);
float fminf(float x, float y);
float fmaxf(float x, float y);
float copysignf(float x, float y);

#endif

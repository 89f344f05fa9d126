#ifndef FENCEPOST_MATH_H
#define FENCEPOST_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Results are rounded to the nearest number, or in rare cases to the next one; they are the same on every machine,
 * though another library may differ in the last bit. There is no long double, and errno is not set.
 */
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
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 0

#define FP_ILOGB0 (-0x7fffffff - 1)
#define FP_ILOGBNAN (-0x7fffffff - 1)

typedef float float_t;
typedef double double_t;

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
#define islessgreater(x, y) ((x) < (y) || (x) > (y))
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
double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);
double logb(double x);
double fmod(double x, double y);
double remainder(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
double fdim(double x, double y);
double copysign(double x, double y);
double nextafter(double x, double y);
double pow(double x, double y);
double atan2(double y, double x);
double hypot(double x, double y);
double fma(double x, double y, double z);
double ldexp(double x, int exponent);
double scalbn(double x, int exponent);
double scalbln(double x, long exponent);
double frexp(double x, int *exponent);
double modf(double x, double *whole);
int ilogb(double x);
double remquo(double x, double y, int *quotient);
double nan(const char *tag);
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
float nearbyintf(float x);
float expf(float x);
float exp2f(float x);
float expm1f(float x);
float logf(float x);
float log2f(float x);
float log10f(float x);
float log1pf(float x);
float sinf(float x);
float cosf(float x);
float tanf(float x);
float asinf(float x);
float acosf(float x);
float atanf(float x);
float sinhf(float x);
float coshf(float x);
float tanhf(float x);
float asinhf(float x);
float acoshf(float x);
float atanhf(float x);
float cbrtf(float x);
float logbf(float x);
float fmodf(float x, float y);
float remainderf(float x, float y);
float fminf(float x, float y);
float fmaxf(float x, float y);
float fdimf(float x, float y);
float copysignf(float x, float y);
float nextafterf(float x, float y);
float powf(float x, float y);
float atan2f(float y, float x);
float hypotf(float x, float y);
float fmaf(float x, float y, float z);
float ldexpf(float x, int exponent);
float scalbnf(float x, int exponent);
float scalblnf(float x, long exponent);
float frexpf(float x, int *exponent);
float modff(float x, float *whole);
int ilogbf(float x);
float remquof(float x, float y, int *quotient);
float nanf(const char *tag);
long lroundf(float x);
long lrintf(float x);
__extension__ long long llroundf(float x);
__extension__ long long llrintf(float x);

/* Declared only: <complex> names it. */
#ifdef __cplusplus
long double atan2l(long double y, long double x);
#endif

#ifdef __cplusplus
}
#endif

#endif

/* Products and quotients of complex numbers, which clang calls; with infinities as in annex G of C11. */
#include <math.h>

#define COMPLEX(type, product, quotient, one, signed_as, log, shift, largest)                          \
  type _Complex product(type a, type b, type c, type d);                                               \
  type _Complex product(type a, type b, type c, type d) {                                              \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, real = ac - bd, imaginary = ad + bc;          \
    if (__builtin_isnan(real) && __builtin_isnan(imaginary)) {                                         \
      int again = 0;                                                                                   \
      if (__builtin_isinf(a) || __builtin_isinf(b)) {                                                  \
        a = signed_as(__builtin_isinf(a) ? one : 0, a), b = signed_as(__builtin_isinf(b) ? one : 0, b); \
        if (__builtin_isnan(c)) c = signed_as(0, c);                                                   \
        if (__builtin_isnan(d)) d = signed_as(0, d);                                                   \
        again = 1;                                                                                     \
      }                                                                                                \
      if (__builtin_isinf(c) || __builtin_isinf(d)) {                                                  \
        c = signed_as(__builtin_isinf(c) ? one : 0, c), d = signed_as(__builtin_isinf(d) ? one : 0, d); \
        if (__builtin_isnan(a)) a = signed_as(0, a);                                                   \
        if (__builtin_isnan(b)) b = signed_as(0, b);                                                   \
        again = 1;                                                                                     \
      }                                                                                                \
      if (!again && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) { \
        if (__builtin_isnan(a)) a = signed_as(0, a);                                                   \
        if (__builtin_isnan(b)) b = signed_as(0, b);                                                   \
        if (__builtin_isnan(c)) c = signed_as(0, c);                                                   \
        if (__builtin_isnan(d)) d = signed_as(0, d);                                                   \
        again = 1;                                                                                     \
      }                                                                                                \
      if (again) real = (type)INFINITY * (a * c - b * d), imaginary = (type)INFINITY * (a * d + b * c); \
    }                                                                                                  \
    type _Complex result;                                                                              \
    __real__ result = real, __imag__ result = imaginary;                                               \
    return result;                                                                                     \
  }                                                                                                    \
  type _Complex quotient(type a, type b, type c, type d);                                              \
  type _Complex quotient(type a, type b, type c, type d) {                                             \
    int by = 0;                                                                                        \
    type size = log(largest(__builtin_fabs(c), __builtin_fabs(d)));                                    \
    if (__builtin_isfinite(size)) by = (int)size, c = shift(c, -by), d = shift(d, -by);                \
    type below = c * c + d * d;                                                                        \
    type real = shift((a * c + b * d) / below, -by), imaginary = shift((b * c - a * d) / below, -by);  \
    if (__builtin_isnan(real) && __builtin_isnan(imaginary)) {                                         \
      if (below == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {                                \
        real = signed_as((type)INFINITY, c) * a, imaginary = signed_as((type)INFINITY, c) * b;         \
      } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) { \
        a = signed_as(__builtin_isinf(a) ? one : 0, a), b = signed_as(__builtin_isinf(b) ? one : 0, b); \
        real = (type)INFINITY * (a * c + b * d), imaginary = (type)INFINITY * (b * c - a * d);         \
      } else if (__builtin_isinf(size) && size > 0 && __builtin_isfinite(a) && __builtin_isfinite(b)) { \
        c = signed_as(__builtin_isinf(c) ? one : 0, c), d = signed_as(__builtin_isinf(d) ? one : 0, d); \
        real = 0 * (a * c + b * d), imaginary = 0 * (b * c - a * d);                                   \
      }                                                                                                \
    }                                                                                                  \
    type _Complex result;                                                                              \
    __real__ result = real, __imag__ result = imaginary;                                               \
    return result;                                                                                     \
  }

COMPLEX(double, __muldc3, __divdc3, 1.0, copysign, logb, scalbn, fmax)
COMPLEX(float, __mulsc3, __divsc3, 1.0f, copysignf, logbf, scalbnf, fmaxf)

/*
 * x to the power of y, as in fdlibm's e_pow.c: log2(x) as a sum of two doubles, times y, then 2 to that power.
 * The error is less than 0.7 units in the last place, as in most C libraries.
 */
#include <math.h>
#include <stdint.h>

static const double L1 = 5.99999999999994648725e-01, L2 = 4.28571428578550184252e-01, L3 = 3.33333329818377432918e-01,
                    L4 = 2.72728123808534006489e-01, L5 = 2.30660745775561754067e-01, L6 = 2.06975017800338417784e-01;
static const double P1 = 1.66666666666666019037e-01, P2 = -2.77777777770155933842e-03, P3 = 6.61375632143793436117e-05,
                    P4 = -1.65339022054652515390e-06, P5 = 4.13813679705723846039e-08;
static const double LG2 = 6.93147180559945286227e-01, LG2_HIGH = 6.93147182464599609375e-01,
                    LG2_LOW = -1.90465429995776804525e-09;
/* 2 / (3 ln 2), and its parts. */
static const double CP = 9.61796693925975554329e-01, CP_HIGH = 9.61796700954437255859e-01,
                    CP_LOW = -7.02846165095275826516e-09;
static const double BASE[] = {1.0, 1.5}, LOG_HIGH[] = {0.0, 5.84962487220764160156e-01},
                    LOG_LOW[] = {0.0, 1.35003920212974897128e-08};

static double cut(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits &= ~0xffffffffull;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* For finite, positive x and moderate y. */
static double power(double x, double y) {
  int n;
  x = 2 * frexp(x, &n);
  n--;
  int k = 0;
  if (x >= 1.7320508075688772) {
    x /= 2;
    n++;
  } else if (x > 1.224744871391589) {
    k = 1;
  }

  double u = x - BASE[k], v = 1.0 / (x + BASE[k]);
  double s = u * v, s_high = cut(s);
  double t_high = cut(x + BASE[k]), t_low = x - (t_high - BASE[k]);
  double s_low = v * ((u - s_high * t_high) - s_high * t_low);
  double s2 = s * s;
  double r = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6)))));
  r += s_low * (s_high + s);
  s2 = s_high * s_high;
  t_high = cut(3.0 + s2 + r);
  t_low = r - ((t_high - 3.0) - s2);
  u = s_high * t_high;
  v = s_low * t_high + t_low * s;
  double p_high = cut(u + v), p_low = v - (p_high - u);
  double z_high = CP_HIGH * p_high, z_low = CP_LOW * p_high + p_low * CP + LOG_LOW[k];
  double log_high = cut(((z_high + z_low) + LOG_HIGH[k]) + n);
  double log_low = z_low - (((log_high - n) - LOG_HIGH[k]) - z_high);

  double y_high = cut(y);
  p_low = (y - y_high) * log_high + y * log_low;
  p_high = y_high * log_high;
  double z = p_low + p_high;
  if (z >= 1024.5) return HUGE_VAL;
  if (z <= -1076.0) return 0;
  double whole = round(z);
  p_high -= whole;
  double t = cut(p_low + p_high);
  u = t * LG2_HIGH;
  v = (p_low - (t - p_high)) * LG2 + t * LG2_LOW;
  z = u + v;
  double w = v - (z - u);
  t = z * z;
  double t1 = z - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  r = (z * t1) / (t1 - 2.0) - (w + z * w);
  return ldexp(1.0 - (r - z), (int)whole);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  int integral = trunc(y) == y;
  int odd = integral && fabs(y) < 0x1p53 && fmod(y, 2) != 0;
  double size = fabs(x);
  if (isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? HUGE_VAL : 0;
  if (x == 0 || isinf(x)) {
    double result = (x == 0) == (y < 0) ? HUGE_VAL : 0;
    return odd ? copysign(result, x) : result;
  }
  if (x < 0 && !integral) return (x - x) / (x - x);
  /* Beyond this, only powers of 1 are finite and not zero. */
  double exponent = fabs(y) > 0x1p64 ? copysign(0x1p64, y) : y;
  double result = y == 1 ? size : y == 2 ? size * size : y == -1 ? 1 / size : y == 0.5 ? sqrt(size) : power(size, exponent);
  return odd && x < 0 ? -result : result;
}

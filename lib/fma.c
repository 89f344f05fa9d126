/* x * y + z, rounded once. */
#include <math.h>
#include <stdint.h>

/* A number as an integer times a power of two, and its sign. */
struct private_parts {
  uint64_t mantissa;
  int exponent;
  int negative;
};

static void take_apart(struct private_parts *parts, double x) {
  int exponent;
  double fraction = frexp(fabs(x), &exponent);
  parts->mantissa = (uint64_t)ldexp(fraction, 53);
  parts->exponent = exponent - 53;
  parts->negative = signbit(x);
}

/* 128 bits: the upper and the lower half. */
struct private_wide {
  uint64_t high, low;
};

static void shift_left(struct private_wide *w, int count) {
  for (; count >= 64; count -= 64) {
    w->high = w->low;
    w->low = 0;
  }
  if (count == 0) return;
  w->high = w->high << count | w->low >> (64 - count);
  w->low <<= count;
}

/* Lost bits leave a sticky bit at the end, for rounding. */
static void shift_right(struct private_wide *w, int count) {
  uint64_t lost = 0;
  if (count > 127) count = 127;
  for (; count >= 64; count -= 64) {
    lost |= w->low;
    w->low = w->high;
    w->high = 0;
  }
  if (count > 0) {
    lost |= w->low << (64 - count);
    w->low = w->low >> count | w->high << (64 - count);
    w->high >>= count;
  }
  w->low |= lost != 0;
}

static int length_of(const struct private_wide *w) {
  if (w->high) return 128 - __builtin_clzll(w->high);
  return w->low ? 64 - __builtin_clzll(w->low) : 0;
}

static void multiply(struct private_wide *w, uint64_t a, uint64_t b) {
  uint64_t a_high = a >> 32, a_low = (uint32_t)a, b_high = b >> 32, b_low = (uint32_t)b;
  uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32), other = a_low * b_high + (uint32_t)middle;
  w->high = a_high * b_high + (middle >> 32) + (other >> 32);
  w->low = other << 32 | (uint32_t)low;
}

static int is_less(const struct private_wide *a, const struct private_wide *b) {
  return a->high < b->high || (a->high == b->high && a->low < b->low);
}

/* The larger minus the smaller; 1 if the second is the larger. */
static int subtract(struct private_wide *a, const struct private_wide *b) {
  int swapped = is_less(a, b);
  uint64_t high = swapped ? b->high - a->high : a->high - b->high;
  uint64_t low = swapped ? b->low - a->low : a->low - b->low;
  high -= swapped ? b->low < a->low : a->low < b->low;
  a->high = high;
  a->low = low;
  return swapped;
}

double fma(double x, double y, double z) {
  if (!isfinite(x) || !isfinite(y) || !isfinite(z) || x == 0 || y == 0) return x * y + z;
  if (z == 0) return x * y;
  struct private_parts p, q, r;
  take_apart(&p, x);
  take_apart(&q, y);
  take_apart(&r, z);
  struct private_wide product, sum;
  multiply(&product, p.mantissa, q.mantissa);
  int exponent = p.exponent + q.exponent;
  int negative = p.negative != q.negative;
  sum.high = 0;
  sum.low = r.mantissa;
  /* Both with the same exponent, and with room for a carry and for lost bits. */
  shift_left(&product, 20);
  exponent -= 20;
  int up = 126 - length_of(&sum);
  if (r.exponent - exponent < up) up = r.exponent > exponent ? r.exponent - exponent : 0;
  shift_left(&sum, up);
  r.exponent -= up;
  if (r.exponent > exponent) {
    shift_right(&product, r.exponent - exponent);
    exponent = r.exponent;
  } else {
    shift_right(&sum, exponent - r.exponent);
  }
  if (negative == r.negative) {
    product.low += sum.low;
    product.high += sum.high + (product.low < sum.low);
  } else if (subtract(&product, &sum)) {
    negative = r.negative;
  }
  int length = length_of(&product);
  if (length == 0) return 0;
  /* 53 bits, or fewer if the result is subnormal; rounded to the nearest, half to even. */
  int drop = length - 53;
  if (exponent + drop < -1074) drop = -1074 - exponent;
  if (drop > 1) {
    shift_right(&product, drop - 2);
    exponent += drop - 2;
    uint64_t rest = product.low & 3, whole = product.low >> 2;
    /* Of the last of the four, it matters only whether anything is beyond the half. */
    if (rest == 3 || (rest == 2 && (whole & 1) != 0)) whole++;
    product.low = whole;
    exponent += 2;
  } else if (drop == 1) {
    uint64_t whole = product.low >> 1;
    if ((product.low & 1) != 0 && (whole & 1) != 0) whole++;
    product.low = whole;
    exponent++;
  }
  double result = ldexp((double)product.low, exponent);
  return negative ? -result : result;
}

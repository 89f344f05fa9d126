/*
 * Floating point numbers from text, rounded correctly. The digits are kept as they are and shifted by powers of two until
 * the number is an integer of 53 bits. All in one function, so that the digits stay private to it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

enum { DIGITS = 800, SHIFT = 28 };

static int matches(const char *text, const char *word) {
  int length = 0;
  for (; word[length]; length++) {
    if (tolower((unsigned char)text[length]) != word[length]) return 0;
  }
  return length;
}

/* Hexadecimal: text stands behind the 0x. Digits beyond 64 bits only count for rounding. */
static double parse_hexadecimal(const char *text, const char **end) {
  uint64_t mantissa = 0;
  int exponent = 0, any = 0, fraction = 0;
  const char *p = text;
  for (;; p++) {
    if (*p == '.' && !fraction) {
      fraction = 1;
      continue;
    }
    if (!isxdigit((unsigned char)*p)) break;
    any = 1;
    unsigned digit = isdigit((unsigned char)*p) ? *p - '0' : tolower((unsigned char)*p) - 'a' + 10;
    if (mantissa >> 60 == 0) {
      mantissa = mantissa << 4 | digit;
      exponent -= fraction ? 4 : 0;
    } else {
      mantissa |= digit != 0;
      exponent += fraction ? 0 : 4;
    }
  }
  if (!any) return 0;
  *end = p;
  if (*p == 'p' || *p == 'P') {
    char *after;
    long power = strtol(p + 1, &after, 10);
    if (after != p + 1 && !isspace((unsigned char)p[1])) {
      exponent += (int)power;
      *end = after;
    }
  }
  double value = (double)mantissa;
  for (; exponent > 0 && value != 0 && value < 0x1p1023; exponent--) value *= 2;
  if (exponent > 0 && value != 0) value = __builtin_huge_val();
  for (; exponent < 0 && value != 0; exponent++) value /= 2;
  return value;
}

/* Decimal: null in `end` if there is no number. */
static double parse_decimal(const char *text, const char **end) {
  unsigned char digits[DIGITS + 16];
  int count = 0, point = 0, any = 0, fraction = 0, dropped = 0;
  const char *p = text;
  for (;; p++) {
    if (*p == '.' && !fraction) {
      fraction = 1;
      continue;
    }
    if (!isdigit((unsigned char)*p)) break;
    any = 1;
    int digit = *p - '0';
    if (count == 0 && digit == 0) {
      point -= fraction;
      continue;
    }
    if (!fraction) point++;
    if (count < DIGITS) digits[count++] = (unsigned char)digit;
    else dropped |= digit;
  }
  if (!any) return 0;
  *end = p;
  if (*p == 'e' || *p == 'E') {
    char *after;
    long power = strtol(p + 1, &after, 10);
    if (after != p + 1 && !isspace((unsigned char)p[1])) {
      point += power > 10000 ? 10000 : power < -10000 ? -10000 : (int)power;
      *end = after;
    }
  }
  if (dropped && count > 0) digits[count - 1] |= 1;
  if (count == 0 || point < -330) return 0;
  if (point > 310) return __builtin_huge_val();

  /* value = 0.digits * 10^point * 2^exponent; first below 2^53, then as large as that allows. */
  int exponent = 0;
  while (1) {
    uint64_t whole = 0;
    for (int i = 0; i < point && i < 19; i++) whole = whole * 10 + (i < count ? digits[i] : 0);
    int shift = 0;
    if (point > 16 || whole >> 53 != 0) shift = point > 19 ? -SHIFT : point > 17 ? -4 : -1;
    else if (exponent <= -1074) shift = 0;
    else if (point <= 0) shift = SHIFT;
    else if (whole >> 52 == 0) shift = whole >> 36 == 0 ? 16 : 1;
    /* Smaller numbers have fewer bits. */
    if (shift > 0 && exponent - shift < -1074) shift = exponent + 1074;
    if (shift == 0) break;
    exponent -= shift;
    if (shift < 0) {
      uint64_t rest = 0;
      int to = 0, from = 0;
      for (; from < count || rest != 0; from++) {
        rest = rest * 10 + (from < count ? digits[from] : 0);
        unsigned digit = (unsigned)(rest >> -shift);
        rest &= (1ull << -shift) - 1;
        if (to == 0 && digit == 0) {
          point--;
          continue;
        }
        if (to < DIGITS) digits[to++] = (unsigned char)digit;
        else if (digit != 0 || rest != 0) {
          digits[to - 1] |= 1;
          break;
        }
      }
      count = to;
    } else {
      uint64_t carry = 0;
      for (int i = count - 1; i >= 0; i--) {
        carry += (uint64_t)digits[i] << shift;
        digits[i] = (unsigned char)(carry % 10);
        carry /= 10;
      }
      int more = 0;
      for (uint64_t c = carry; c != 0; c /= 10) more++;
      int lost = 0;
      for (int i = count - 1; i >= 0 && more > 0; i--) {
        if (i + more < DIGITS) digits[i + more] = digits[i];
        else lost |= digits[i];
      }
      for (int i = more - 1; i >= 0; i--, carry /= 10) digits[i] = (unsigned char)(carry % 10);
      count = count + more < DIGITS ? count + more : DIGITS;
      if (lost) digits[count - 1] |= 1;
      point += more;
    }
    while (count > 0 && digits[count - 1] == 0) count--;
  }

  uint64_t whole = 0;
  for (int i = 0; i < point; i++) whole = whole * 10 + (i < count ? digits[i] : 0);
  if (point >= 0 && point < count) {
    int beyond = point + 1 < count;
    if (digits[point] > 5 || (digits[point] == 5 && (beyond || (whole & 1) != 0))) whole++;
  }
  double value = (double)whole;
  for (; exponent > 0 && value < __builtin_huge_val(); exponent--) value *= 2;
  /* Exact: the bits are already no more than fit. */
  for (; exponent < -1000; exponent++) value /= 2;
  for (; exponent < 0; exponent++) value /= 2;
  return value;
}

double strtod(const char *__restrict text, char **__restrict end) {
  const char *p = text, *after = NULL;
  double value;
  int length;
  while (isspace((unsigned char)*p)) p++;
  int negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if ((length = matches(p, "infinity")) || (length = matches(p, "inf"))) {
    value = __builtin_huge_val();
    after = p + length;
  } else if ((length = matches(p, "nan"))) {
    value = __builtin_nan("");
    after = p + length;
  } else {
    value = parse_decimal(p, &after);
    if (*p == '0' && (p[1] == 'x' || p[1] == 'X')) {
      const char *hexadecimal = NULL;
      double other = parse_hexadecimal(p + 2, &hexadecimal);
      if (hexadecimal) {
        value = other;
        after = hexadecimal;
      }
    }
    if (after && value == __builtin_huge_val()) errno = ERANGE;
  }
  if (end) *end = (char *)(after ? after : text);
  return negative ? -value : value;
}

/* Rounded twice, which in rare cases is not the nearest. */
float strtof(const char *__restrict text, char **__restrict end) {
  double value = strtod(text, end);
  float result = (float)value;
  int is_infinite = result - result != 0 && value - value == 0;
  if (is_infinite || (result == 0 && value != 0)) errno = ERANGE;
  return result;
}

long double strtold(const char *__restrict text, char **__restrict end) { return strtod(text, end); }

double atof(const char *text) { return strtod(text, NULL); }

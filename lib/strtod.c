/*
 * Floating point numbers from text, correctly rounded to `bits` bits; `smallest` is the smallest number's exponent. The
 * digits are kept in decimal and shifted by powers of two until the number is an integer of that many bits. All in one
 * function, so that the digits stay private to it.
 */
#include <ctype.h>
#include <errno.h>
#include <float.h>
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

/* The digits after an e or p, if any; the value saturates far beyond what any number needs. */
static int parse_power(const char *text, const char **end) {
  const char *p = text;
  int negative = *p == '-', power = 0;
  if (*p == '-' || *p == '+') p++;
  if (!isdigit((unsigned char)*p)) return 0;
  for (; isdigit((unsigned char)*p); p++) power = power < 100000000 ? power * 10 + (*p - '0') : power;
  *end = p;
  return negative ? -power : power;
}

/*
 * Whether a result below all normal numbers was rounded: `whole` is its integer part before rounding, `quarters`
 * the rest, 1 if less than a quarter and so on, 0 if none. As on x86: not if it would be normal with one more bit.
 */
static void note_underflow(int bits, uint64_t whole, int quarters) {
  int would_be_normal = whole + 1 == 1ull << (bits - 1) && quarters >= 4;
  if (whole >> (bits - 1) == 0 && quarters != 0 && !would_be_normal) errno = ERANGE;
}

/* Exact, unless it overflows. */
static double scale(double value, int exponent) {
  for (; exponent > 0 && value < __builtin_huge_val(); exponent--) value *= 2;
  for (; exponent < 0; exponent++) value /= 2;
  return value;
}

/* Hexadecimal: `text` is just after the 0x. Digits beyond 64 bits count only for rounding. */
static double parse_hexadecimal(const char *text, const char **end, int bits, int smallest) {
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
  if (*p == 'p' || *p == 'P') exponent += parse_power(p + 1, end);
  if (mantissa == 0) return 0;
  for (; mantissa >> 63 == 0; exponent--) mantissa <<= 1;
  /* Number of surplus bits; a number that is too small has fewer bits. */
  int excess = 64 - bits;
  if (exponent + excess < smallest) excess = smallest - exponent;
  if (excess > 64) {
    errno = ERANGE;
    return 0;
  }
  uint64_t whole = excess == 64 ? 0 : mantissa >> excess;
  uint64_t rest = mantissa << (64 - excess);
  int quarters = rest == 0 ? 0 : 1 + (int)(rest >> 62);
  if (exponent + excess == smallest) note_underflow(bits, whole, quarters);
  if (rest >> 63 != 0 && (rest << 1 != 0 || (whole & 1) != 0)) whole++;
  if (exponent > 2000) return __builtin_huge_val();
  return scale((double)whole, exponent + excess);
}

/* Decimal: null in `end` if there is no number. */
static double parse_decimal(const char *text, const char **end, int bits, int smallest) {
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
  if (*p == 'e' || *p == 'E') point += parse_power(p + 1, end);
  if (dropped && count > 0) digits[count - 1] |= 1;
  if (count == 0) return 0;
  if (point < -330) {
    errno = ERANGE;
    return 0;
  }
  if (point > 310) return __builtin_huge_val();

  /* value = 0.digits * 10^point * 2^exponent; first below 2^bits, then as large as that allows. */
  int exponent = 0;
  while (1) {
    uint64_t whole = 0;
    for (int i = 0; i < point && i < 19; i++) whole = whole * 10 + (i < count ? digits[i] : 0);
    int shift = 0;
    if (point > 16 || whole >> bits != 0) shift = point > 19 ? -SHIFT : point > 17 || whole >> bits > 15 ? -4 : -1;
    else if (exponent <= smallest) shift = 0;
    else if (point <= 0) shift = SHIFT;
    else if (whole >> (bits - 1) == 0) shift = whole >> (bits - 17) == 0 ? 16 : 1;
    /* Smaller numbers have fewer bits. */
    if (shift > 0 && exponent - shift < smallest) shift = exponent - smallest;
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
  int tenths = point >= 0 && point < count ? digits[point] : 0;
  int more = point < 0 ? count > 0 : point + 1 < count;
  if (exponent == smallest) {
    int quarters = tenths * 10 + (point >= 0 && point + 1 < count ? digits[point + 1] : 0);
    note_underflow(bits, whole, tenths == 0 && !more ? 0 : 1 + quarters / 25);
  }
  if (tenths > 5 || (tenths == 5 && (more || (whole & 1) != 0))) whole++;
  return scale((double)whole, exponent);
}

/* After nan: the characters between parentheses, if they are closed. */
static const char *after_nan(const char *text) {
  if (*text != '(') return text;
  const char *p = text + 1;
  while (isalnum((unsigned char)*p) || *p == '_') p++;
  return *p == ')' ? p + 1 : text;
}

static double parse(const char *text, char **end, int bits, int smallest) {
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
    after = after_nan(p + length);
  } else {
    const char *hexadecimal = NULL;
    if (*p == '0' && (p[1] == 'x' || p[1] == 'X')) value = parse_hexadecimal(p + 2, &hexadecimal, bits, smallest);
    if (hexadecimal) after = hexadecimal;
    else value = parse_decimal(p, &after, bits, smallest);
    if (bits == FLT_MANT_DIG && value > FLT_MAX) value = __builtin_huge_val();
    if (value == __builtin_huge_val()) errno = ERANGE;
  }
  if (end) *end = (char *)(after ? after : text);
  return after && negative ? -value : value;
}

double strtod(const char *__restrict text, char **__restrict end) {
  return parse(text, end, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG);
}

float strtof(const char *__restrict text, char **__restrict end) {
  return (float)parse(text, end, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG);
}

long double strtold(const char *__restrict text, char **__restrict end) { return strtod(text, end); }

double atof(const char *text) { return strtod(text, NULL); }

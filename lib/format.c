/*
 * vsnprintf, the one formatter that writes to the program's own memory. (The machine formats what is printed.)
 * Integers, characters, strings, pointers, and floating point. Decimal output is exact: every double is an integer
 * times a power of ten, so its digits are computed in full and rounded once, half to even.
 *
 * Structures whose names begin with private_ are private to a thread, wherever their addresses go (storage.ts).
 */
#include <fencepost/machine.h>
#include <stdint.h>
#include <stdio.h>

/* lib/print.c */
void __fencepost_store_count(void *target, int bytes, int count);

struct private_sink {
  char *buffer;
  size_t size;
  /* Characters written so far, whether they fitted or not. */
  size_t count;
  /* The rest of the format. */
  const char *format;
};

struct private_conversion {
  int left, plus, space, alternative, zero;
  int width;
  /* -1 if none was given. */
  int precision;
  char kind;
};

static void put(struct private_sink *sink, char c) {
  if (sink->count + 1 < sink->size) sink->buffer[sink->count] = c;
  sink->count++;
}

static void put_many(struct private_sink *sink, char c, int count) {
  for (; count > 0; count--) put(sink, c);
}

static void put_text(struct private_sink *sink, const char *text, int length) {
  for (; length > 0; length--) put(sink, *text++);
}

static int length_of(const char *text, int most) {
  int length = 0;
  while ((most < 0 || length < most) && text[length]) length++;
  return length;
}

/* `prefix` (a sign or 0x) comes before the zeros that fill the width, before the `body` characters. */
static void put_prefix(struct private_sink *sink, const struct private_conversion *c, const char *prefix, int body) {
  int length = length_of(prefix, -1);
  int fill = c->width - length - body;
  if (!c->left && !c->zero) put_many(sink, ' ', fill);
  put_text(sink, prefix, length);
  if (!c->left && c->zero) put_many(sink, '0', fill);
}

static void put_rest(struct private_sink *sink, const struct private_conversion *c, size_t start) {
  if (c->left) put_many(sink, ' ', c->width - (int)(sink->count - start));
}

static const char *sign_of(const struct private_conversion *c, int negative) {
  return negative ? "-" : c->plus ? "+" : c->space ? " " : "";
}

static void put_string(struct private_sink *sink, struct private_conversion *c, const char *text, int length) {
  size_t start = sink->count;
  c->zero = 0;
  put_prefix(sink, c, "", length);
  put_text(sink, text, length);
  put_rest(sink, c, start);
}

static void put_integer(struct private_sink *sink, struct private_conversion *c, const char *prefix, unsigned long long value,
                        unsigned base) {
  char digits[24];
  size_t start = sink->count;
  const char *symbols = c->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  int length = 0;
  for (; value != 0; value /= base) digits[length++] = symbols[value % base];
  int least = c->precision < 0 ? 1 : c->precision;
  if (c->alternative && base == 8 && least <= length) least = length + 1;
  int zeros = least > length ? least - length : 0;
  if (c->precision >= 0) c->zero = 0;
  put_prefix(sink, c, prefix, zeros + length);
  put_many(sink, '0', zeros);
  while (length > 0) put(sink, digits[--length]);
  put_rest(sink, c, start);
}

/* The largest double has 309 digits before the point; the smallest has 1074 after it, of which 767 are significant. */
#define WORDS 88
#define DIGITS (9 * WORDS)

/* A positive number: 0.d1d2d3… times ten to the power `point`. */
struct private_decimal {
  char digits[DIGITS];
  int count;
  int point;
};

/* In base 10^9, least significant first. */
struct private_large {
  uint32_t words[WORDS];
  int count;
};

static void multiply(struct private_large *large, uint32_t factor) {
  uint64_t carry = 0;
  for (int i = 0; i < large->count; i++) {
    carry += (uint64_t)large->words[i] * factor;
    large->words[i] = (uint32_t)(carry % 1000000000);
    carry /= 1000000000;
  }
  if (carry != 0) large->words[large->count++] = (uint32_t)carry;
}

/* mantissa * 2^exponent; if the exponent is negative that is mantissa * 5^-exponent / 10^-exponent. */
static void expand(struct private_decimal *d, uint64_t mantissa, int exponent) {
  struct private_large large;
  large.count = 0;
  for (; mantissa != 0; mantissa /= 1000000000) large.words[large.count++] = (uint32_t)(mantissa % 1000000000);
  for (int i = 0; i < exponent; i++) multiply(&large, 2);
  for (int i = 0; i < -exponent; i++) multiply(&large, 5);

  d->count = 0;
  for (int i = large.count - 1; i >= 0; i--) {
    for (uint32_t unit = 100000000; unit != 0; unit /= 10) {
      char digit = (char)('0' + large.words[i] / unit % 10);
      if (d->count > 0 || digit != '0') d->digits[d->count++] = digit;
    }
  }
  d->point = d->count == 0 ? 1 : exponent < 0 ? d->count + exponent : d->count;
}

static int rounds_up(const struct private_decimal *d, int keep) {
  if (keep < 0 || keep >= d->count || d->digits[keep] < '5') return 0;
  if (d->digits[keep] > '5') return 1;
  for (int i = keep + 1; i < d->count; i++) {
    if (d->digits[i] != '0') return 1;
  }
  return keep > 0 && (d->digits[keep - 1] - '0') % 2 == 1;
}

/* Rounds to at most `keep` digits. */
static void round_to(struct private_decimal *d, int keep) {
  if (keep >= d->count) return;
  int up = rounds_up(d, keep);
  d->count = keep < 0 ? 0 : keep;
  if (!up) return;
  int i = d->count - 1;
  for (; i >= 0 && d->digits[i] == '9'; i--) d->digits[i] = '0';
  if (i >= 0) {
    d->digits[i]++;
    return;
  }
  /* All nines: one more digit before them. The last one is now a zero that is not needed. */
  if (d->count == 0) d->count = 1;
  d->digits[0] = '1';
  d->point++;
}

static char digit_at(const struct private_decimal *d, int index) {
  return index >= 0 && index < d->count ? d->digits[index] : '0';
}

static void put_fixed(struct private_sink *sink, const struct private_conversion *c, const char *sign, const struct private_decimal *d,
                      int precision) {
  int whole = d->point > 0 ? d->point : 1;
  int dot = precision > 0 || c->alternative;
  put_prefix(sink, c, sign, whole + dot + precision);
  for (int i = d->point - whole; i < d->point; i++) put(sink, digit_at(d, i));
  if (dot) put(sink, '.');
  for (int i = 0; i < precision; i++) put(sink, digit_at(d, d->point + i));
}

static void put_scientific(struct private_sink *sink, const struct private_conversion *c, const char *sign, const struct private_decimal *d,
                           int precision, char letter) {
  int exponent = d->count == 0 ? 0 : d->point - 1;
  int size = exponent < 0 ? -exponent : exponent;
  int dot = precision > 0 || c->alternative;
  put_prefix(sink, c, sign, 1 + dot + precision + (size < 100 ? 4 : 5));
  put(sink, digit_at(d, 0));
  if (dot) put(sink, '.');
  for (int i = 1; i <= precision; i++) put(sink, digit_at(d, i));
  put(sink, letter);
  put(sink, exponent < 0 ? '-' : '+');
  if (size >= 100) put(sink, (char)('0' + size / 100));
  put(sink, (char)('0' + size / 10 % 10));
  put(sink, (char)('0' + size % 10));
}

/* Half to even. A subnormal number has the exponent of the smallest normal one. */
static void put_hexadecimal(struct private_sink *sink, const struct private_conversion *c, const char *sign,
                            uint64_t mantissa, int exponent) {
  int upper = c->kind == 'A', precision = c->precision;
  const char *symbols = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  if (precision < 0) {
    precision = 13;
    while (precision > 0 && (mantissa >> 4 * (13 - precision) & 15) == 0) precision--;
  } else if (precision < 13) {
    int drop = 4 * (13 - precision);
    uint64_t half = 1ull << (drop - 1), rest = mantissa & (2 * half - 1);
    mantissa -= rest;
    if (rest > half || (rest == half && (mantissa >> drop & 1) != 0)) mantissa += 2 * half;
  }
  int size = exponent < 0 ? -exponent : exponent;
  int dot = precision > 0 || c->alternative, digits = size < 10 ? 1 : size < 100 ? 2 : size < 1000 ? 3 : 4;
  char prefix[4];
  int length = length_of(sign, -1);
  prefix[0] = sign[0];
  prefix[length] = '0';
  prefix[length + 1] = upper ? 'X' : 'x';
  prefix[length + 2] = 0;
  put_prefix(sink, c, prefix, 1 + dot + precision + 2 + digits);
  put(sink, symbols[mantissa >> 52]);
  if (dot) put(sink, '.');
  for (int i = 1; i <= precision; i++) put(sink, i > 13 ? '0' : symbols[mantissa >> 4 * (13 - i) & 15]);
  put(sink, upper ? 'P' : 'p');
  put(sink, exponent < 0 ? '-' : '+');
  for (int unit = digits == 4 ? 1000 : digits == 3 ? 100 : digits == 2 ? 10 : 1; unit > 0; unit /= 10)
    put(sink, (char)('0' + size / unit % 10));
}

static void put_double(struct private_sink *sink, struct private_conversion *c, double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const char *sign = sign_of(c, bits >> 63 != 0);
  uint64_t mantissa = bits & 0xfffffffffffff;
  int exponent = (int)(bits >> 52 & 0x7ff);
  int upper = c->kind < 'a';
  char kind = upper ? (char)(c->kind + 'a' - 'A') : c->kind;
  size_t start = sink->count;

  if (exponent == 0x7ff) {
    c->zero = 0;
    put_prefix(sink, c, sign, 3);
    put_text(sink, mantissa != 0 ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"), 3);
    put_rest(sink, c, start);
    return;
  }

  if (kind == 'a') {
    int is_zero = exponent == 0 && mantissa == 0;
    put_hexadecimal(sink, c, sign, exponent == 0 ? mantissa : mantissa | 1ull << 52,
                    is_zero ? 0 : exponent == 0 ? -1022 : exponent - 1023);
    put_rest(sink, c, start);
    return;
  }

  struct private_decimal d;
  expand(&d, exponent == 0 ? mantissa : mantissa | 1ull << 52, (exponent == 0 ? 1 : exponent) - 1075);
  int precision = c->precision < 0 ? 6 : c->precision;
  if (kind == 'g') {
    if (precision == 0) precision = 1;
    round_to(&d, precision);
    int power = d.count == 0 ? 0 : d.point - 1;
    kind = power < -4 || power >= precision ? 'e' : 'f';
    precision -= kind == 'e' ? 1 : power + 1;
    if (!c->alternative) {
      while (d.count > 0 && d.digits[d.count - 1] == '0') d.count--;
      int useful = kind == 'e' ? d.count - 1 : d.count - d.point;
      if (useful < precision) precision = useful < 0 ? 0 : useful;
    }
  } else {
    round_to(&d, kind == 'e' ? precision + 1 : d.point + precision);
  }
  if (kind == 'e') put_scientific(sink, c, sign, &d, precision, upper ? 'E' : 'e');
  else put_fixed(sink, c, sign, &d, precision);
  put_rest(sink, c, start);
}

static int read_number(struct private_sink *sink) {
  int value = 0;
  for (; *sink->format >= '0' && *sink->format <= '9'; sink->format++) value = 10 * value + (*sink->format - '0');
  return value;
}

/* From just after the percent sign. */
static void read_flags(struct private_sink *sink, struct private_conversion *c) {
  for (;; sink->format++) {
    switch (*sink->format) {
      case '-': c->left = 1; break;
      case '+': c->plus = 1; break;
      case ' ': c->space = 1; break;
      case '#': c->alternative = 1; break;
      case '0': c->zero = 1; break;
      default: return;
    }
  }
}

static int accept(struct private_sink *sink, char c) {
  if (*sink->format != c) return 0;
  sink->format++;
  return 1;
}

/* Size of the integer argument; smaller ones are passed as int. */
static int read_length(struct private_sink *sink) {
  if (accept(sink, 'h')) return accept(sink, 'h') ? sizeof(char) : sizeof(short);
  if (accept(sink, 'l')) return accept(sink, 'l') ? sizeof(long long) : sizeof(long);
  if (accept(sink, 'j')) return sizeof(intmax_t);
  if (accept(sink, 'z')) return sizeof(size_t);
  if (accept(sink, 't')) return sizeof(ptrdiff_t);
  if (accept(sink, 'L')) return sizeof(long long);
  return sizeof(int);
}

static long long narrow(long long value, int bytes) {
  switch (bytes) {
    case 1: return (signed char)value;
    case 2: return (short)value;
    case 4: return (int)value;
    default: return value;
  }
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  struct private_sink sink = {buffer, size, 0, format};
  for (char next; (next = *sink.format) != 0;) {
    sink.format++;
    if (next != '%') {
      put(&sink, next);
      continue;
    }
    struct private_conversion c = {0, 0, 0, 0, 0, 0, -1, 0};
    read_flags(&sink, &c);
    if (accept(&sink, '*')) {
      c.width = va_arg(arguments, int);
      if (c.width < 0) {
        c.left = 1;
        c.width = -c.width;
      }
    } else {
      c.width = read_number(&sink);
    }
    if (accept(&sink, '.')) {
      if (accept(&sink, '*')) {
        c.precision = va_arg(arguments, int);
      } else {
        c.precision = read_number(&sink);
      }
    }
    int bytes = read_length(&sink);
    c.kind = *sink.format;
    if (c.kind != 0) sink.format++;

    switch (c.kind) {
      case 'd':
      case 'i': {
        long long value = narrow(bytes == 8 ? va_arg(arguments, long long) : va_arg(arguments, int), bytes);
        unsigned long long magnitude = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
        put_integer(&sink, &c, sign_of(&c, value < 0), magnitude, 10);
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        unsigned long long value = bytes == 8 ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned);
        if (bytes < 8) value &= (1ull << 8 * bytes) - 1;
        unsigned base = c.kind == 'u' ? 10 : c.kind == 'o' ? 8 : 16;
        const char *prefix = base == 16 && c.alternative && value != 0 ? (c.kind == 'X' ? "0X" : "0x") : "";
        put_integer(&sink, &c, prefix, value, base);
        break;
      }
      case 'p': {
        const void *value = va_arg(arguments, const void *);
        if (value) put_integer(&sink, &c, "0x", (uintptr_t)value, 16);
        else put_string(&sink, &c, "(nil)", 5);
        break;
      }
      case 'c': {
        char value = (char)va_arg(arguments, int);
        size_t start = sink.count;
        c.zero = 0;
        put_prefix(&sink, &c, "", 1);
        put(&sink, value);
        put_rest(&sink, &c, start);
        break;
      }
      case 's': {
        const char *value = va_arg(arguments, const char *);
        if (!value) value = "(null)";
        put_string(&sink, &c, value, length_of(value, c.precision));
        break;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': put_double(&sink, &c, va_arg(arguments, double)); break;
      case 'n': __fencepost_store_count(va_arg(arguments, void *), bytes, (int)sink.count); break;
      case '%': put(&sink, '%'); break;
      default: __fencepost_not_modelled("a conversion of the printf family");
    }
  }
  if (size > 0) buffer[sink.count < size ? sink.count : size - 1] = 0;
  return (int)sink.count;
}

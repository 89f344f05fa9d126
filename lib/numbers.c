/* Numbers from text. For structures called private_…, see format.c. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

struct private_number {
  unsigned long long magnitude;
  int negative;
  int overflow;
};

static void parse(struct private_number *n, const char *text, char **end, int base) {
  n->magnitude = 0;
  n->negative = n->overflow = 0;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return;
  }
  const char *p = text;
  const char *last = text;
  while (isspace((unsigned char)*p)) p++;
  if (*p == '-' || *p == '+') n->negative = *p++ == '-';
  if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && digit_of(p[2]) < 16) {
    p += 2;
    base = 16;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  for (int digit; (digit = digit_of(*p)) < base; last = ++p) {
    unsigned long long next;
    if (__builtin_mul_overflow(n->magnitude, (unsigned long long)base, &next) ||
        __builtin_add_overflow(next, (unsigned long long)digit, &next))
      n->overflow = 1;
    n->magnitude = next;
  }
  if (end) *end = (char *)last;
}

static long long limit(const struct private_number *n, long long smallest, long long largest) {
  unsigned long long most = n->negative ? -(unsigned long long)smallest : (unsigned long long)largest;
  if (n->overflow || n->magnitude > most) {
    errno = ERANGE;
    return n->negative ? smallest : largest;
  }
  return (long long)(n->negative ? -n->magnitude : n->magnitude);
}

static unsigned long long limit_unsigned(const struct private_number *n, unsigned long long largest) {
  if (n->overflow || n->magnitude > largest) {
    errno = ERANGE;
    return largest;
  }
  return n->negative ? -n->magnitude : n->magnitude;
}

long strtol(const char *__restrict text, char **__restrict end, int base) {
  struct private_number n;
  parse(&n, text, end, base);
  return (long)limit(&n, LONG_MIN, LONG_MAX);
}

long long strtoll(const char *__restrict text, char **__restrict end, int base) {
  struct private_number n;
  parse(&n, text, end, base);
  return limit(&n, LLONG_MIN, LLONG_MAX);
}

unsigned long strtoul(const char *__restrict text, char **__restrict end, int base) {
  struct private_number n;
  parse(&n, text, end, base);
  return (unsigned long)limit_unsigned(&n, ULONG_MAX);
}

unsigned long long strtoull(const char *__restrict text, char **__restrict end, int base) {
  struct private_number n;
  parse(&n, text, end, base);
  return limit_unsigned(&n, ULLONG_MAX);
}

intmax_t strtoimax(const char *__restrict text, char **__restrict end, int base) { return strtoll(text, end, base); }

uintmax_t strtoumax(const char *__restrict text, char **__restrict end, int base) { return strtoull(text, end, base); }

intmax_t imaxabs(intmax_t value) { return value < 0 ? -value : value; }

imaxdiv_t imaxdiv(intmax_t dividend, intmax_t divisor) {
  imaxdiv_t result = {dividend / divisor, dividend % divisor};
  return result;
}

int atoi(const char *text) { return (int)strtoll(text, NULL, 10); }

long atol(const char *text) { return (long)strtoll(text, NULL, 10); }

long long atoll(const char *text) { return strtoll(text, NULL, 10); }

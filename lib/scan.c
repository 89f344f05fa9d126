/*
 * sscanf and its family. Every character of the text is loaded once, and results are stored, both as the program
 * would. For structures called private_…, see format.c.
 */
#include <ctype.h>
#include <fencepost/library.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct private_scan {
  const char *text;
  int position;
  /* The current character, or -1 if it has not been loaded yet. */
  int next;
  /* How many characters the directive may still take. */
  int room;
  /* The rest of the format. */
  const char *format;
};

struct private_directive {
  int suppress;
  /* 0 if none was given. */
  int width;
  /* Bytes of an integer, and whether a floating point number is a double. */
  int bytes;
  int is_long;
  char kind;
};

/* The input for strtod. */
enum { LONGEST = 1000 };
struct private_item {
  char text[LONGEST + 1];
  int length;
};

/* 0 at the end of the text, and when the width is used up. */
static int peek(struct private_scan *s) {
  if (s->room == 0) return 0;
  if (s->next < 0) s->next = (unsigned char)s->text[s->position];
  return s->next;
}

static void skip(struct private_scan *s) {
  s->position++;
  s->room--;
  s->next = -1;
}

/* Spaces before an item do not count towards the width. */
static void skip_space(struct private_scan *s) {
  s->room = INT_MAX;
  while (isspace(peek(s))) skip(s);
}

static int take(struct private_scan *s, char c) {
  if (tolower(peek(s)) != c) return 0;
  skip(s);
  return 1;
}

/* From just after the percent sign. */
static void read_directive(struct private_scan *s, struct private_directive *d) {
  const char *f = s->format;
  d->suppress = *f == '*';
  if (d->suppress) f++;
  d->width = 0;
  for (; *f >= '0' && *f <= '9'; f++) d->width = 10 * d->width + (*f - '0');
  d->bytes = sizeof(int);
  d->is_long = *f == 'l' || *f == 'L';
  switch (*f) {
    case 'h': d->bytes = f[1] == 'h' ? sizeof(char) : sizeof(short); break;
    case 'l': d->bytes = f[1] == 'l' ? sizeof(long long) : sizeof(long); break;
    case 'j':
    case 'L': d->bytes = sizeof(long long); break;
    case 'z':
    case 't': d->bytes = sizeof(size_t); break;
    default: f--;
  }
  f++;
  if ((*f == 'h' || *f == 'l') && f[-1] == *f) f++;
  d->kind = *f;
  if (d->kind == 'p') d->bytes = sizeof(void *);
  if (*f) f++;
  s->format = f;
}

static void store_integer(void *target, int bytes, unsigned long long value) {
  switch (bytes) {
    case 1: *(char *)target = (char)value; break;
    case 2: *(short *)target = (short)value; break;
    case 8: *(unsigned long long *)target = value; break;
    default: *(int *)target = (int)value; break;
  }
}

static int digit_of(int c) { return isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99; }

struct private_integer {
  unsigned long long value;
  int is_valid;
};

/* In base 0, the text decides. A value that is too large becomes the largest one. */
static void scan_integer(struct private_scan *s, struct private_integer *n, int base, int is_signed) {
  int negative = take(s, '-');
  if (!negative) take(s, '+');
  n->value = 0;
  n->is_valid = 0;
  if ((base == 0 || base == 16) && take(s, '0')) {
    n->is_valid = !take(s, 'x');
    base = !n->is_valid ? 16 : base == 0 ? 8 : base;
  }
  if (base == 0) base = 10;
  int overflow = 0;
  for (int digit; (digit = digit_of(peek(s))) < base; skip(s)) {
    overflow |= __builtin_mul_overflow(n->value, (unsigned long long)base, &n->value);
    overflow |= __builtin_add_overflow(n->value, (unsigned long long)digit, &n->value);
    n->is_valid = 1;
  }
  unsigned long long most = is_signed ? (unsigned long long)LLONG_MAX + negative : ULLONG_MAX;
  if (overflow || n->value > most) n->value = most;
  if (negative) n->value = -n->value;
}

static void keep(struct private_scan *s, struct private_item *item) {
  if (item->length == LONGEST) __fencepost_not_modelled("scanf of a number with more than 1,000 characters");
  item->text[item->length++] = (char)peek(s);
  skip(s);
}

static int keep_if(struct private_scan *s, struct private_item *item, char c) {
  if (tolower(peek(s)) != c) return 0;
  keep(s, item);
  return 1;
}

static int keep_word(struct private_scan *s, struct private_item *item, const char *word) {
  for (; *word; word++) {
    if (!keep_if(s, item, *word)) return 0;
  }
  return 1;
}

static int keep_digits(struct private_scan *s, struct private_item *item, int base) {
  int count = 0;
  for (; digit_of(peek(s)) < base; count++) keep(s, item);
  return count;
}

/* Reads the longest text that is a prefix of a floating point number; returns whether it is a complete one. */
static int scan_float(struct private_scan *s, struct private_item *item) {
  item->length = 0;
  if (!keep_if(s, item, '-')) keep_if(s, item, '+');
  if (tolower(peek(s)) == 'i') {
    if (!keep_word(s, item, "inf")) return 0;
    return tolower(peek(s)) != 'i' || keep_word(s, item, "inity");
  }
  if (tolower(peek(s)) == 'n') return keep_word(s, item, "nan");
  int base = 10, count = 0;
  if (keep_if(s, item, '0')) {
    if (keep_if(s, item, 'x')) base = 16;
    else count = 1;
  }
  count += keep_digits(s, item, base);
  if (keep_if(s, item, '.')) count += keep_digits(s, item, base);
  if (count == 0) return 0;
  if (!keep_if(s, item, base == 16 ? 'p' : 'e')) return 1;
  if (!keep_if(s, item, '-')) keep_if(s, item, '+');
  return keep_digits(s, item, 10) > 0;
}

/* Whether the set between two brackets contains the character. */
static int is_in_set(const char *set, const char *end, int c) {
  int is_inverted = *set == '^';
  if (is_inverted) set++;
  for (; set < end; set++) {
    int first = (unsigned char)*set, last = first;
    if (set + 2 < end && set[1] == '-') {
      last = (unsigned char)set[2];
      set += 2;
    }
    if (c >= first && c <= last) return !is_inverted;
  }
  return is_inverted;
}

/* Where the set ends; a closing bracket at its start belongs to it. */
static const char *end_of_set(const char *set) {
  if (*set == '^') set++;
  if (*set == ']') set++;
  while (*set && *set != ']') set++;
  return set;
}

/* %c, %s and %[: stored without lookahead. Returns whether there was anything or, for %c, everything. */
static int scan_text(struct private_scan *s, const struct private_directive *d, char *target, const char *set, const char *end) {
  int count = 0;
  for (int c; (c = peek(s)) != 0; count++) {
    if (d->kind == 's' ? isspace(c) : d->kind == '[' && !is_in_set(set, end, c)) break;
    if (target) target[count] = (char)c;
    skip(s);
  }
  if (target && d->kind != 'c' && count > 0) target[count] = 0;
  return d->kind == 'c' ? s->room == 0 : count > 0;
}

static void store_float(struct private_item *item, int is_long, void *target) {
  item->text[item->length] = 0;
  if (is_long) *(double *)target = strtod(item->text, NULL);
  else *(float *)target = strtof(item->text, NULL);
}

/* One conversion; 1 if the text matches. */
static int convert(struct private_scan *s, const struct private_directive *d, void *target) {
  struct private_integer n;
  switch (d->kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
      scan_integer(s, &n, d->kind == 'i' ? 0 : d->kind == 'o' ? 8 : d->kind == 'd' || d->kind == 'u' ? 10 : 16,
                   d->kind == 'd' || d->kind == 'i');
      if (n.is_valid && target) store_integer(target, d->bytes, n.value);
      return n.is_valid;
    case 'c':
    case 's': return scan_text(s, d, target, NULL, NULL);
    case '[': {
      const char *set = s->format, *end = end_of_set(set);
      s->format = *end ? end + 1 : end;
      return scan_text(s, d, target, set, end);
    }
    default: {
      struct private_item item;
      if (!scan_float(s, &item)) return 0;
      if (target) store_float(&item, d->is_long, target);
      return 1;
    }
  }
}

static int is_known(const struct private_directive *d) {
  switch (d->kind) {
    case 'c':
    case 's':
    case '[': return !d->is_long;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
    case 'n':
    case '%':
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return 1;
    default: return 0;
  }
}

/* The number of conversions, or EOF if the text ended before the first. */
static int result_of(struct private_scan *s, int count) {
  s->room = INT_MAX;
  return count == 0 && peek(s) == 0 ? EOF : count;
}

static int scan(struct private_scan *s, va_list arguments) {
  int count = 0;
  for (char next; (next = *s->format) != 0;) {
    s->format++;
    s->room = INT_MAX;
    if (isspace((unsigned char)next)) {
      skip_space(s);
      continue;
    }
    if (next != '%') {
      if (peek(s) != (unsigned char)next) return result_of(s, count);
      skip(s);
      continue;
    }
    struct private_directive d;
    read_directive(s, &d);
    if (!is_known(&d)) __fencepost_not_modelled("a conversion of scanf that is unknown, or for wide characters");
    if (d.kind == '%') {
      skip_space(s);
      if (peek(s) != '%') return result_of(s, count);
      skip(s);
      continue;
    }
    void *target = d.suppress ? NULL : va_arg(arguments, void *);
    if (d.kind == 'n') {
      if (target) store_integer(target, d.bytes, (unsigned long long)s->position);
      continue;
    }
    if (d.kind != 'c' && d.kind != '[') skip_space(s);
    if (peek(s) == 0) return result_of(s, count);
    s->room = d.width ? d.width : d.kind == 'c' ? 1 : INT_MAX;
    if (!convert(s, &d, target)) return d.kind == 'c' ? result_of(s, count) : count;
    if (target) count++;
  }
  return count;
}

int __fencepost_scan(const char *text, struct private_taken *taken, const char *format, va_list arguments) {
  struct private_scan s = {text, 0, -1, INT_MAX, format};
  int count = scan(&s, arguments);
  taken->count = s.position;
  return count;
}

int vsscanf(const char *__restrict text, const char *__restrict format, va_list arguments) {
  struct private_scan s = {text, 0, -1, INT_MAX, format};
  return scan(&s, arguments);
}

int sscanf(const char *__restrict text, const char *__restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

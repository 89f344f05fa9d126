/*
 * Printing reads the program's memory as the program would: strings that are not constants are copied by loads, each
 * a step of its own; then the copies are printed, all at once.
 *
 * Structures whose names begin with private_ are private to a thread, wherever their addresses go (storage.ts).
 */
#include <fencepost/machine.h>

#define WORDS 100
#define BYTES 4000

struct private_copies {
  /* The arguments, with strings replaced by addresses of copies. */
  int words[WORDS];
  int word_count;
  char bytes[BYTES];
  int byte_count;
};

/* One conversion, and where to look for the next one. */
struct private_conversion {
  const char *next;
  char kind;
  /* Number of words that it takes for width and precision, and for its value. */
  int before, words;
  /* Maximum number of characters of a string that are read; -1 if there is no limit. */
  int most;
  /* Size of what %n stores. */
  int bytes;
};

/* Of a constant, or of a copy. */
static char at(const char *text) { return __fencepost_glance_byte(text); }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_among(char c, const char *characters) {
  for (; at(characters); characters++) {
    if (at(characters) == c) return 1;
  }
  return 0;
}

/* Reads the next conversion of a format, whose words start at `words`; 0 if there is none. */
static int find(struct private_conversion *c, const int *words) {
  const char *f = c->next;
  while (at(f) && at(f) != '%') f++;
  if (!at(f)) return 0;
  f++;
  c->before = 0;
  c->most = -1;
  while (is_among(at(f), "-+ #0")) f++;
  if (at(f) == '*') {
    c->before++;
    f++;
  }
  while (is_digit(at(f))) f++;
  if (at(f) == '.') {
    f++;
    c->most = 0;
    if (at(f) == '*') {
      c->most = __fencepost_glance(words + c->before);
      if (c->most < 0) c->most = -1;
      c->before++;
      f++;
    }
    for (; is_digit(at(f)); f++) c->most = 10 * c->most + (at(f) - '0');
  }
  c->bytes = 4;
  for (; is_among(at(f), "hljztL"); f++) {
    if (at(f) == 'j' || (at(f) == 'l' && at(f + 1) == 'l')) c->bytes = 8;
    if (at(f) == 'h') c->bytes /= 2;
  }
  c->kind = at(f);
  if (c->kind) f++;
  c->next = f;
  c->words = c->kind == '%' ? 0 : c->kind == 'n' ? 1 : c->bytes == 8 || is_among(c->kind, "fFeEgGaA") ? 2 : 1;
  return 1;
}

/* Whether there is a string that may be changed or freed, or a place to store how much was printed. */
static int reads_memory(const char *format, const int *words) {
  if (!__fencepost_is_constant(format)) return 1;
  struct private_conversion c;
  c.next = format;
  while (find(&c, words)) {
    words += c.before;
    if (c.kind == 'n') return 1;
    if (c.kind == 's') {
      const void *text = (const void *)__fencepost_glance(words);
      if (text && !__fencepost_is_constant(text)) return 1;
    }
    words += c.words;
  }
  return 0;
}

static const char *copy(struct private_copies *copies, const char *text, int most) {
  int start = copies->byte_count;
  for (int i = 0; i != most; i++) {
    char c = text[i];
    if (!c) break;
    if (copies->byte_count >= BYTES - 1) __fencepost_not_modelled("printing more than 4,000 characters of strings at once");
    copies->bytes[copies->byte_count++] = c;
  }
  copies->bytes[copies->byte_count++] = 0;
  return &copies->bytes[start];
}

static void add(struct private_copies *copies, int word) {
  if (copies->word_count == WORDS) __fencepost_not_modelled("printing more than 100 words of arguments at once");
  copies->words[copies->word_count++] = word;
}

/* Stores for %n; `bytes` is the size of the integer. */
void __fencepost_store_count(void *target, int bytes, int count);
void __fencepost_store_count(void *target, int bytes, int count) {
  switch (bytes) {
    case 1: *(signed char *)target = (signed char)count; break;
    case 2: *(short *)target = (short)count; break;
    case 8: *(long long *)target = count; break;
    default: *(int *)target = count; break;
  }
}

/* The machine has written the counts into the slots of the copied arguments. */
static void store_counts(const char *format, const int *words, const struct private_copies *copies) {
  struct private_conversion c;
  c.next = format;
  for (int i = 0; find(&c, &copies->words[i]); i += c.words) {
    i += c.before;
    if (c.kind == 'n') __fencepost_store_count((void *)__fencepost_glance(words + i), c.bytes, __fencepost_glance(&copies->words[i]));
  }
}

static int print_copies(const char *format, const int *words) {
  struct private_copies copies;
  copies.word_count = 0;
  copies.byte_count = 0;
  if (!__fencepost_is_constant(format)) format = copy(&copies, format, -1);
  const int *first = words;
  int stores = 0;
  struct private_conversion c;
  c.next = format;
  while (find(&c, words)) {
    stores |= c.kind == 'n';
    for (; c.before > 0; c.before--) add(&copies, __fencepost_glance(words++));
    if (c.kind == 's') {
      const char *text = (const char *)__fencepost_glance(words++);
      add(&copies, (int)(text && !__fencepost_is_constant(text) ? copy(&copies, text, c.most) : text));
    } else {
      for (; c.words > 0; c.words--) add(&copies, __fencepost_glance(words++));
    }
  }
  int count = __fencepost_printf(format, (__builtin_va_list)copies.words);
  if (stores) store_counts(format, first, &copies);
  return count;
}

int __fencepost_print(const char *format, __builtin_va_list arguments) {
  const int *words = (const int *)arguments;
  return reads_memory(format, words) ? print_copies(format, words) : __fencepost_printf(format, arguments);
}

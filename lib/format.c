/*
 * The printf family: one walk over a format, for two sinks. Numbers are converted by the machine, a piece at a time.
 *
 *   a buffer          each character of the format and of a string is a load, unless it is a constant, and each character of
 *                     the result a store
 *   standard output   what is printed is no event. What is no constant is copied by loads, each a step of its own, before it
 *                     is printed: the whole format first, then each string in its turn. All of it is one output.
 *
 * What is in a structure called private_… is nobody else's business, wherever its address goes (storage.ts).
 */
#include <fencepost/machine.h>
#include <stdint.h>
#include <stdio.h>

/* Flags of a conversion, as the machine knows them (format-number.ts). */
enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATIVE = 8, ZERO = 16 };

#define PIECE 32
#define COPY 4000
#define MOST_DIGITS 100000

struct private_walk {
  /* To standard output, not to the buffer. */
  int prints;
  char *buffer;
  size_t size;
  /* Characters put so far, whether they had room or not. */
  size_t count;
  /* What is still to be read. */
  const char *format;
  /* The conversion: */
  int flags, width;
  /* Below 0 if none was given. */
  int precision;
  char kind;
  /* Of a number, or a single character. */
  char piece[PIECE];
};

struct private_copy {
  char text[COPY];
};

/* ---- sinks */

/* Of a buffer, what it has room for. */
static void put(struct private_walk *walk, char c) {
  if (walk->prints) {
    walk->piece[0] = c;
    __fencepost_put(walk->piece, 1, -1);
  } else if (walk->count + 1 < walk->size) {
    walk->buffer[walk->count] = c;
  }
  walk->count++;
}

static void put_text(struct private_walk *walk, const char *text, int length) {
  if (walk->prints) walk->count += (size_t)__fencepost_put(text, length, -1);
  else for (; length > 0; length--) put(walk, *text++);
}

static void put_spaces(struct private_walk *walk, int count) {
  static const char spaces[PIECE] = "                                ";
  for (; count > 0; count -= PIECE) put_text(walk, spaces, count < PIECE ? count : PIECE);
}

/* Puts what stands before the next conversion, and passes its percent sign; 0 if there is none. */
static int find_conversion(struct private_walk *walk) {
  if (walk->prints) {
    int length = __fencepost_put(walk->format, -1, '%');
    walk->format += length;
    walk->count += (size_t)length;
  }
  for (char next; (next = *walk->format) != 0;) {
    walk->format++;
    if (next == '%') return 1;
    put(walk, next);
  }
  return 0;
}

static int copy(struct private_copy *copy, const char *text, int most) {
  int length = 0;
  for (; length != most; length++) {
    char c = text[length];
    if (!c) break;
    if (length >= COPY - 1) __fencepost_not_modelled("printing more than 4,000 characters of strings at once");
    copy->text[length] = c;
  }
  copy->text[length] = 0;
  return length;
}

/* ---- conversions */

static void put_padded(struct private_walk *walk, const char *text, int length) {
  if (!(walk->flags & LEFT)) put_spaces(walk, walk->width - length);
  put_text(walk, text, length);
  if (walk->flags & LEFT) put_spaces(walk, walk->width - length);
}

static void put_copy(struct private_walk *walk, const char *text) {
  struct private_copy copied;
  int length = copy(&copied, text, walk->precision);
  put_padded(walk, copied.text, length);
}

static int length_of(const char *text, int most) {
  int length = 0;
  while ((most < 0 || length < most) && text[length]) length++;
  return length;
}

static void put_string(struct private_walk *walk, const char *text) {
  if (!text) text = "(null)";
  if (walk->prints && !__fencepost_is_constant(text)) put_copy(walk, text);
  else if (walk->prints && walk->width == 0) walk->count += (size_t)__fencepost_put(text, walk->precision, 0);
  else put_padded(walk, text, length_of(text, walk->precision));
}

/* The length of the whole number, of which the piece has what is from `from` on. */
static int convert(struct private_walk *walk, uint64_t bits, int from) {
  return __fencepost_convert(walk->piece, PIECE, from, walk->kind, walk->flags, walk->width, walk->precision, bits);
}

static void put_number(struct private_walk *walk, uint64_t bits) {
  if (walk->width > MOST_DIGITS || walk->precision > MOST_DIGITS)
    __fencepost_not_modelled("printing a number with more than 100,000 digits");
  int length = convert(walk, bits, 0);
  if (length <= PIECE) {
    put_padded(walk, walk->piece, length);
    return;
  }
  if (!(walk->flags & LEFT)) put_spaces(walk, walk->width - length);
  put_text(walk, walk->piece, PIECE);
  for (int from = PIECE; from < length; from += PIECE) {
    convert(walk, bits, from);
    put_text(walk, walk->piece, length - from < PIECE ? length - from : PIECE);
  }
  if (walk->flags & LEFT) put_spaces(walk, walk->width - length);
}

static void put_character(struct private_walk *walk, char c) {
  walk->piece[0] = c;
  put_padded(walk, walk->piece, 1);
}

/* As %n asks for; `bytes` is the size of the integer. */
static void store_count(void *target, int bytes, int count) {
  switch (bytes) {
    case 1: *(signed char *)target = (signed char)count; break;
    case 2: *(short *)target = (short)count; break;
    case 8: *(long long *)target = count; break;
    default: *(int *)target = count; break;
  }
}

/* ---- the walk */

static int read_number(struct private_walk *walk) {
  int value = 0;
  for (; *walk->format >= '0' && *walk->format <= '9'; walk->format++) value = 10 * value + (*walk->format - '0');
  return value;
}

/* From behind the percent sign. */
static void read_flags(struct private_walk *walk) {
  for (walk->flags = 0;; walk->format++) {
    switch (*walk->format) {
      case '-': walk->flags |= LEFT; break;
      case '+': walk->flags |= PLUS; break;
      case ' ': walk->flags |= SPACE; break;
      case '#': walk->flags |= ALTERNATIVE; break;
      case '0': walk->flags |= ZERO; break;
      default: return;
    }
  }
}

static int accept(struct private_walk *walk, char c) {
  if (*walk->format != c) return 0;
  walk->format++;
  return 1;
}

/* Bytes of the integer argument; smaller ones are passed as int. */
static int read_length(struct private_walk *walk) {
  if (accept(walk, 'h')) return accept(walk, 'h') ? sizeof(char) : sizeof(short);
  if (accept(walk, 'l')) return accept(walk, 'l') ? sizeof(long long) : sizeof(long);
  if (accept(walk, 'j')) return sizeof(intmax_t);
  if (accept(walk, 'z')) return sizeof(size_t);
  if (accept(walk, 't')) return sizeof(ptrdiff_t);
  if (accept(walk, 'L')) return sizeof(long long);
  return sizeof(int);
}

static int narrow(int value, int bytes) { return bytes == 1 ? (signed char)value : bytes == 2 ? (short)value : value; }

static unsigned narrow_unsigned(unsigned value, int bytes) {
  return bytes == 1 ? (unsigned char)value : bytes == 2 ? (unsigned short)value : value;
}

static void walk_format(struct private_walk *walk, va_list arguments) {
  while (find_conversion(walk)) {
    read_flags(walk);
    if (accept(walk, '*')) {
      walk->width = va_arg(arguments, int);
      if (walk->width < 0) {
        walk->flags |= LEFT;
        walk->width = -walk->width;
      }
    } else {
      walk->width = read_number(walk);
    }
    walk->precision = -1;
    if (accept(walk, '.')) walk->precision = accept(walk, '*') ? va_arg(arguments, int) : read_number(walk);
    int bytes = read_length(walk);
    walk->kind = *walk->format;
    if (walk->kind != 0) walk->format++;

    switch (walk->kind) {
      case 'd':
      case 'i':
        if (bytes == 8) put_number(walk, va_arg(arguments, uint64_t));
        else put_number(walk, (uint64_t)narrow(va_arg(arguments, int), bytes));
        break;
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        if (bytes == 8) put_number(walk, va_arg(arguments, uint64_t));
        else put_number(walk, narrow_unsigned(va_arg(arguments, unsigned), bytes));
        break;
      case 'p': put_number(walk, (uintptr_t)va_arg(arguments, const void *)); break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        /* The bits of a double, which are passed in the same way. */
        put_number(walk, va_arg(arguments, uint64_t));
        break;
      case 'c': put_character(walk, (char)va_arg(arguments, int)); break;
      case 's': put_string(walk, va_arg(arguments, const char *)); break;
      case 'n': store_count(va_arg(arguments, void *), bytes, (int)walk->count); break;
      case '%': put(walk, '%'); break;
      /* The machine says that it does not know it. */
      default: convert(walk, 0, 0);
    }
  }
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  struct private_walk walk;
  walk.prints = 0;
  walk.buffer = buffer;
  walk.size = size;
  walk.count = 0;
  walk.format = format;
  walk_format(&walk, arguments);
  if (size > 0) buffer[walk.count < size ? walk.count : size - 1] = 0;
  return (int)walk.count;
}

static int print(const char *format, va_list arguments) {
  struct private_walk walk;
  walk.prints = 1;
  walk.count = 0;
  walk.format = format;
  walk_format(&walk, arguments);
  __fencepost_end_output((int)walk.count);
  return (int)walk.count;
}

static int print_copy(const char *format, va_list arguments) {
  struct private_copy copied;
  copy(&copied, format, -1);
  return print(copied.text, arguments);
}

int __fencepost_print(const char *format, va_list arguments);
int __fencepost_print(const char *format, va_list arguments) {
  return __fencepost_is_constant(format) ? print(format, arguments) : print_copy(format, arguments);
}

/*
 * The printf family: one walk over a format, for two sinks. The machine converts numbers, a piece at a time.
 *
 *   a buffer          reading a character of the format or of a string is a load, unless it is a constant; writing a
 *                     character of the result is a store
 *   standard output   printing is not an event. A format that is not a constant is copied first, by loads, each a
 *                     separate step; such a string is copied when its conversion is reached. One call is one output.
 *
 * Programs print in every execution, so the walk is one function: its variables are registers, and it seldom calls
 * another. Loops over what is printed have no loads and no calls, so --unroll does not bound them. Structures whose
 * names begin with private_ are private to a thread, wherever their addresses go (storage.ts).
 */
#include <fencepost/machine.h>
#include <stdint.h>
#include <stdio.h>

/* Flags of a conversion, as the machine knows them (format-number.ts). */
enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATIVE = 8, ZERO = 16 };

#define PIECE 32
#define COPY 4000
#define MOST_DIGITS 100000

struct private_piece {
  /* Characters of a number, or a single character. */
  char text[PIECE];
  /* The rest of the format, after what was read last. */
  const char *end;
};

struct private_copy {
  char text[COPY];
};

/* ---- sinks: standard output if `prints`, otherwise a buffer of `size` characters. They return the new count. */

static size_t put(int prints, char *buffer, size_t size, size_t count, const char *text, int length) {
  if (prints) return count + (size_t)__fencepost_put(text, length, -1);
  for (; length > 0; length--, count++, text++) {
    char c = *text;
    if (count + 1 < size) buffer[count] = c;
  }
  return count;
}

static size_t put_spaces(int prints, char *buffer, size_t size, size_t count, int spaces) {
  if (prints) {
    for (; spaces > 0; spaces -= PIECE)
      count += (size_t)__fencepost_put("                                ", spaces < PIECE ? spaces : PIECE, -1);
  } else {
    for (; spaces > 0; spaces--, count++) {
      if (count + 1 < size) buffer[count] = ' ';
    }
  }
  return count;
}

static size_t put_padded(int prints, char *buffer, size_t size, size_t count, const char *text, int length, int flags, int width) {
  if (!(flags & LEFT)) count = put_spaces(prints, buffer, size, count, width - length);
  count = put(prints, buffer, size, count, text, length);
  if (flags & LEFT) count = put_spaces(prints, buffer, size, count, width - length);
  return count;
}

static int copy(struct private_copy *to, const char *text, int most) {
  int length = 0;
  for (; length != most; length++) {
    char c = text[length];
    if (!c) break;
    if (length >= COPY - 1) __fencepost_not_modelled("printing more than 4,000 characters of strings at once");
    to->text[length] = c;
  }
  to->text[length] = 0;
  return length;
}

/* ---- conversions */

static size_t print_copied(size_t count, const char *text, int flags, int width, int precision) {
  struct private_copy copied;
  int length = copy(&copied, text, precision);
  return put_padded(1, 0, 0, count, copied.text, length, flags, width);
}

static size_t put_string(int prints, char *buffer, size_t size, size_t count, const char *text, int flags, int width,
                         int precision) {
  int length = 0;
  if (prints) {
    while ((precision < 0 || length < precision) && __fencepost_glance_byte(text + length)) length++;
  } else {
    while ((precision < 0 || length < precision) && text[length]) length++;
  }
  return put_padded(prints, buffer, size, count, text, length, flags, width);
}

/* `piece` has the first characters of the number. */
static size_t put_number(int prints, char *buffer, size_t size, size_t count, struct private_piece *piece, int length, int kind,
                         int flags, int width, int precision, uint64_t bits) {
  if (!(flags & LEFT)) count = put_spaces(prints, buffer, size, count, width - length);
  if (prints) {
    for (int from = 0; from < length; from += PIECE) {
      if (from > 0) __fencepost_convert(piece->text, PIECE, from, kind, flags, width, precision, bits);
      count += (size_t)__fencepost_put(piece->text, length - from < PIECE ? length - from : PIECE, -1);
    }
  } else {
    for (int i = 0; i < length; i++, count++) {
      if (i > 0 && i % PIECE == 0) __fencepost_convert(piece->text, PIECE, i, kind, flags, width, precision, bits);
      if (count + 1 < size) buffer[count] = piece->text[i % PIECE];
    }
  }
  if (flags & LEFT) count = put_spaces(prints, buffer, size, count, width - length);
  return count;
}

/* Stores for %n; `bytes` is the size of the integer. */
static void store_count(void *target, int bytes, int count) {
  switch (bytes) {
    case 1: *(signed char *)target = (signed char)count; break;
    case 2: *(short *)target = (short)count; break;
    case 8: *(long long *)target = count; break;
    default: *(int *)target = count; break;
  }
}

/* ---- the walk */

static int flag_of(char c) {
  switch (c) {
    case '-': return LEFT;
    case '+': return PLUS;
    case ' ': return SPACE;
    case '#': return ALTERNATIVE;
    case '0': return ZERO;
    default: return 0;
  }
}

/* Beyond any sensible width it stays as it is. */
static int with_digit(int value, char digit) { return value < 100000000 ? 10 * value + (digit - '0') : value; }

static int read_number(struct private_piece *piece, int prints, const char *format) {
  int value = 0;
  if (prints) {
    for (char c; (c = __fencepost_glance_byte(format)) >= '0' && c <= '9'; format++) value = with_digit(value, c);
  } else {
    for (; *format >= '0' && *format <= '9'; format++) value = with_digit(value, *format);
  }
  piece->end = format;
  return value;
}

/* Size of the integer argument; smaller ones are passed as int. */
static int read_length(struct private_piece *piece, const char *format) {
  int bytes = sizeof(int);
  if (*format == 'h') {
    bytes = sizeof(short);
    if (*++format == 'h') {
      bytes = sizeof(char);
      format++;
    }
  } else if (*format == 'l') {
    bytes = sizeof(long);
    if (*++format == 'l') {
      bytes = sizeof(long long);
      format++;
    }
  } else if (*format == 'j') {
    bytes = sizeof(intmax_t);
    format++;
  } else if (*format == 'z' || *format == 't') {
    bytes = sizeof(size_t);
    format++;
  } else if (*format == 'L') {
    bytes = sizeof(long long);
    format++;
  }
  piece->end = format;
  return bytes;
}

/* Number of words of 32 bits of the argument; 0 if the conversion takes none or is unknown. */
static int words_of(char kind, int bytes) {
  switch (kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return bytes == 8 ? 2 : 1;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return 2;
    case 'c': return 1;
    case 'p':
    case 's':
    case 'n': return sizeof(void *) / 4;
    default: return 0;
  }
}

static size_t walk(int prints, char *buffer, size_t size, const char *format, va_list arguments) {
  struct private_piece piece;
  size_t count = 0;
  for (;;) {
    if (prints) {
      int length = __fencepost_put(format, -1, '%');
      format += length;
      count += (size_t)length;
    }
    char kind;
    for (; (kind = *format) != 0 && kind != '%'; format++, count++) {
      if (count + 1 < size) buffer[count] = kind;
    }
    if (kind == 0) return count;

    int flags = 0, flag;
    do {
      format++;
      flag = flag_of(*format);
      flags |= flag;
    } while (flag);

    int width = 0, precision = -1;
    if (*format == '*') {
      format++;
      width = va_arg(arguments, int);
      if (width < 0) {
        flags |= LEFT;
        width = -width;
      }
    } else {
      width = read_number(&piece, prints, format);
      format = piece.end;
    }
    if (*format == '.') {
      format++;
      if (*format == '*') {
        format++;
        precision = va_arg(arguments, int);
      } else {
        precision = read_number(&piece, prints, format);
        format = piece.end;
      }
    }

    int bytes = read_length(&piece, format);
    format = piece.end;
    kind = *format;
    if (kind != 0) format++;

    int words = words_of(kind, bytes), word = 0;
    uint64_t bits = 0;
    if (words == 1) word = va_arg(arguments, int);
    /* A double is passed like an integer of the same size. */
    if (words == 2) bits = va_arg(arguments, uint64_t);
    void *pointer = words == 2 ? (void *)(uintptr_t)bits : (void *)(uintptr_t)(unsigned)word;
    switch (kind) {
      case 'c':
        piece.text[0] = (char)word;
        count = put_padded(prints, buffer, size, count, piece.text, 1, flags, width);
        continue;
      case 's': {
        const char *text = pointer ? pointer : "(null)";
        if (!prints) count = put_string(0, buffer, size, count, text, flags, width, precision);
        else if (!__fencepost_is_constant(text)) count = print_copied(count, text, flags, width, precision);
        else if (width == 0) count += (size_t)__fencepost_put(text, precision, 0);
        else count = put_string(1, 0, 0, count, text, flags, width, precision);
        continue;
      }
      case 'n': store_count(pointer, bytes, (int)count); continue;
      case '%': count = put(prints, buffer, size, count, "%", 1); continue;
      case 'd':
      case 'i':
        if (words == 1) bits = (uint64_t)(bytes == 1 ? (signed char)word : bytes == 2 ? (short)word : word);
        break;
      default:
        if (words == 1) bits = bytes == 1 ? (unsigned char)word : bytes == 2 ? (unsigned short)word : (unsigned)word;
    }
    if (width > MOST_DIGITS || precision > MOST_DIGITS)
      __fencepost_not_modelled("printing a number with more than 100,000 digits");
    /* The machine refuses kinds that do not convert numbers. */
    int length = __fencepost_convert(piece.text, PIECE, 0, kind, flags, width, precision, bits);
    if (prints && length <= PIECE && length >= width) count += (size_t)__fencepost_put(piece.text, length, -1);
    else count = put_number(prints, buffer, size, count, &piece, length, kind, flags, width, precision, bits);
  }
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  size_t count = walk(0, buffer, size, format, arguments);
  if (size > 0) buffer[count < size ? count : size - 1] = 0;
  return (int)count;
}

static int print(const char *format, va_list arguments) {
  int count = (int)walk(1, 0, 0, format, arguments);
  __fencepost_end_output(count);
  return count;
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

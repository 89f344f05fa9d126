/*
 * The functions that glibc's headers turn calls into, so that files preprocessed against it run too. Our
 * headers declare none of this. The checks of _FORTIFY_SOURCE add nothing: every access is checked anyway.
 */
#include <errno.h>
#include <fencepost/machine.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma clang diagnostic ignored "-Wmissing-prototypes"

/* glibc 2.38 and newer. */
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }
intmax_t __isoc23_strtoimax(const char *text, char **end, int base) { return strtoimax(text, end, base); }
uintmax_t __isoc23_strtoumax(const char *text, char **end, int base) { return strtoumax(text, end, base); }

/* With _GNU_SOURCE; our own header has the one of POSIX. */
char *__gnu_strerror_r(int error, char *buffer, size_t size) __asm__("strerror_r");
char *__gnu_strerror_r(int error, char *buffer, size_t size) {
  (void)buffer;
  (void)size;
  return strerror(error);
}

char *__strdup(const char *text) { return strdup(text); }
char *__strndup(const char *text, size_t size) { return strndup(text, size); }
char *__strtok_r(char *text, const char *separators, char **rest) { return strtok_r(text, separators, rest); }

__attribute__((__noreturn__)) void __assert_perror_fail(int error, const char *file, unsigned line,
                                                        const char *function) {
  __fencepost_assert_fail(strerror(error), file, (int)line, function);
}

__attribute__((__noreturn__)) void __assert(const char *expression, const char *file, int line) {
  __fencepost_assert_fail(expression, file, line, "");
}

/* Inline putc_unlocked calls this when the buffer is full, which it always is. */
int __overflow(FILE *stream, int character) { return fputc(character, stream); }
int _IO_putc(int character, FILE *stream) { return fputc(character, stream); }

int __signbit(double x) { return __fencepost_signbit(x); }
int __signbitf(float x) { return __fencepost_signbit(x); }
int __isnan(double x) { return isnan(x); }
int __isnanf(float x) { return isnan(x); }
int __isinf(double x) { return isinf(x) ? (x > 0 ? 1 : -1) : 0; }
int __isinff(float x) { return isinf(x) ? (x > 0 ? 1 : -1) : 0; }
int __finite(double x) { return isfinite(x); }
int __finitef(float x) { return isfinite(x); }
int __fpclassify(double x) { return fpclassify(x); }
int __fpclassifyf(float x) { return fpclassify(x); }

int __vprintf_chk(int flag, const char *format, va_list arguments) {
  (void)flag;
  return vprintf(format, arguments);
}

int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  int count = vprintf(format, arguments);
  va_end(arguments);
  return count;
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
  (void)flag;
  return vfprintf(stream, format, arguments);
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  int count = vfprintf(stream, format, arguments);
  va_end(arguments);
  return count;
}

int __vsnprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format, va_list arguments) {
  (void)flag;
  (void)room;
  return vsnprintf(buffer, size, format, arguments);
}

int __snprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format, ...) {
  (void)flag;
  (void)room;
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(buffer, size, format, arguments);
  va_end(arguments);
  return count;
}

int __vsprintf_chk(char *buffer, int flag, size_t room, const char *format, va_list arguments) {
  (void)flag;
  (void)room;
  return vsprintf(buffer, format, arguments);
}

int __sprintf_chk(char *buffer, int flag, size_t room, const char *format, ...) {
  (void)flag;
  (void)room;
  va_list arguments;
  va_start(arguments, format);
  int count = vsprintf(buffer, format, arguments);
  va_end(arguments);
  return count;
}

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) {
  (void)room;
  return memcpy(to, from, size);
}

void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
  (void)room;
  return memmove(to, from, size);
}

void *__memset_chk(void *memory, int value, size_t size, size_t room) {
  (void)room;
  return memset(memory, value, size);
}

char *__strcpy_chk(char *to, const char *from, size_t room) {
  (void)room;
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room) {
  (void)room;
  return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t size, size_t room) {
  (void)room;
  return strncpy(to, from, size);
}

char *__strcat_chk(char *to, const char *from, size_t room) {
  (void)room;
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t size, size_t room) {
  (void)room;
  return strncat(to, from, size);
}

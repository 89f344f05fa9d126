/* Output is captured by the machine; standard output and standard error are one stream, in the order of execution. */
#include <errno.h>
#include <fencepost/machine.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* lib/format.c */
int __fencepost_print(const char *format, va_list arguments);

/* Inline functions of glibc's headers access what they take for a buffer, and must find it full. */
struct __fencepost_file {
  int number;
  int __nothing[63];
};

static struct __fencepost_file input = {0, {0}}, output = {1, {0}}, errors = {2, {0}};
FILE *stdin = &input;
FILE *stdout = &output;
FILE *stderr = &errors;

int vprintf(const char *format, va_list arguments) { return __fencepost_print(format, arguments); }

int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = __fencepost_print(format, arguments);
  va_end(arguments);
  return count;
}

int vfprintf(FILE *stream, const char *format, va_list arguments) {
  (void)stream;
  return __fencepost_print(format, arguments);
}

int fprintf(FILE *stream, const char *format, ...) {
  (void)stream;
  va_list arguments;
  va_start(arguments, format);
  int count = __fencepost_print(format, arguments);
  va_end(arguments);
  return count;
}

int vsprintf(char *buffer, const char *format, va_list arguments) {
  return vsnprintf(buffer, INT_MAX, format, arguments);
}

int sprintf(char *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(buffer, INT_MAX, format, arguments);
  va_end(arguments);
  return count;
}

int snprintf(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(buffer, size, format, arguments);
  va_end(arguments);
  return count;
}

int vasprintf(char **result, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int count = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = __fencepost_malloc((unsigned)count + 1);
  vsnprintf(text, (size_t)count + 1, format, arguments);
  *result = text;
  return count;
}

int asprintf(char **result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vasprintf(result, format, arguments);
  va_end(arguments);
  return count;
}

int dprintf(int file, const char *format, ...) {
  if (file != 1 && file != 2) {
    errno = EBADF;
    return -1;
  }
  va_list arguments;
  va_start(arguments, format);
  int count = __fencepost_print(format, arguments);
  va_end(arguments);
  return count;
}

int puts(const char *text) { return printf("%s\n", text); }

int fputs(const char *text, FILE *stream) { return fprintf(stream, "%s", text); }

int putchar(int character) {
  printf("%c", character);
  return (unsigned char)character;
}

int fputc(int character, FILE *stream) {
  fprintf(stream, "%c", character);
  return (unsigned char)character;
}

int putc(int character, FILE *stream) { return fputc(character, stream); }

int fflush(FILE *stream) {
  (void)stream;
  return 0;
}

size_t fwrite(const void *__restrict memory, size_t size, size_t count, FILE *__restrict stream) {
  const char *bytes = memory;
  for (size_t i = 0; i < size * count; i++) fputc(bytes[i], stream);
  return size == 0 ? 0 : count;
}

void perror(const char *text) {
  const char *error = strerror(errno);
  if (text && *text) fprintf(stderr, "%s: %s\n", text, error);
  else fprintf(stderr, "%s\n", error);
}

int fileno(FILE *stream) { return stream->number; }

int ferror(FILE *stream) {
  (void)stream;
  return 0;
}

void setbuf(FILE *__restrict stream, char *__restrict buffer) {
  (void)stream;
  (void)buffer;
}

void setlinebuf(FILE *stream) { (void)stream; }

int setvbuf(FILE *__restrict stream, char *__restrict buffer, int mode, size_t size) {
  (void)stream;
  (void)buffer;
  (void)size;
  return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
}

void flockfile(FILE *stream) { (void)stream; }

void funlockfile(FILE *stream) { (void)stream; }

int putchar_unlocked(int character) { return putchar(character); }

/* More functions that glibc's headers turn calls into: input, and newer functions. See glibc.c. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#pragma clang diagnostic ignored "-Wmissing-prototypes"

/* Under the names for C99, and for later standards. */
#define SCANNING(standard)                                                                  \
  int standard##_vsscanf(const char *text, const char *format, va_list arguments) {         \
    return vsscanf(text, format, arguments);                                                \
  }                                                                                         \
  int standard##_vscanf(const char *format, va_list arguments) {                            \
    return vscanf(format, arguments);                                                       \
  }                                                                                         \
  int standard##_vfscanf(FILE *stream, const char *format, va_list arguments) {             \
    return vfscanf(stream, format, arguments);                                              \
  }                                                                                         \
  int standard##_sscanf(const char *text, const char *format, ...) {                        \
    va_list arguments;                                                                      \
    va_start(arguments, format);                                                            \
    int count = vsscanf(text, format, arguments);                                           \
    va_end(arguments);                                                                      \
    return count;                                                                           \
  }                                                                                         \
  int standard##_scanf(const char *format, ...) {                                           \
    va_list arguments;                                                                      \
    va_start(arguments, format);                                                            \
    int count = vscanf(format, arguments);                                                  \
    va_end(arguments);                                                                      \
    return count;                                                                           \
  }                                                                                         \
  int standard##_fscanf(FILE *stream, const char *format, ...) {                            \
    va_list arguments;                                                                      \
    va_start(arguments, format);                                                            \
    int count = vfscanf(stream, format, arguments);                                         \
    va_end(arguments);                                                                      \
    return count;                                                                           \
  }

SCANNING(__isoc99)
SCANNING(__isoc23)

char *__fgets_chk(char *buffer, size_t room, int size, FILE *stream) {
  (void)room;
  return fgets(buffer, size, stream);
}

size_t __fread_chk(void *memory, size_t room, size_t size, size_t count, FILE *stream) {
  (void)room;
  return fread(memory, size, count, stream);
}

ssize_t __read_chk(int file, void *buffer, size_t size, size_t room) {
  (void)room;
  return read(file, buffer, size);
}

/* Inline getc_unlocked calls this when the buffer is empty, which it always is. */
int __uflow(FILE *stream) { return getc(stream); }

int __asprintf_chk(char **result, int flag, const char *format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  int count = vasprintf(result, format, arguments);
  va_end(arguments);
  return count;
}

int __vasprintf_chk(char **result, int flag, const char *format, va_list arguments) {
  (void)flag;
  return vasprintf(result, format, arguments);
}

/* The values of SIGRTMIN and SIGRTMAX. */
int __libc_current_sigrtmin(void) { return SIGRTMIN; }
int __libc_current_sigrtmax(void) { return SIGRTMAX; }

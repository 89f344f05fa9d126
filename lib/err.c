#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vwarnx(const char *format, va_list arguments) {
  fputs("program: ", stderr);
  if (format) vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
}

void vwarn(const char *format, va_list arguments) {
  const char *error = strerror(errno);
  fputs("program: ", stderr);
  if (format) {
    vfprintf(stderr, format, arguments);
    fputs(": ", stderr);
  }
  fprintf(stderr, "%s\n", error);
}

void verr(int status, const char *format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}

void verrx(int status, const char *format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}

void warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarn(format, arguments);
  va_end(arguments);
}

void warnx(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarnx(format, arguments);
  va_end(arguments);
}

void err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}

void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}

/* Standard input is empty: every read returns end of file. */
#include <errno.h>
#include <fencepost/library.h>
#include <stdio.h>
#include <unistd.h>

int getc(FILE *stream) {
  (void)stream;
  return EOF;
}

int fgetc(FILE *stream) { return getc(stream); }

int getchar(void) { return EOF; }

char *fgets(char *__restrict buffer, int size, FILE *__restrict stream) {
  (void)buffer;
  (void)size;
  (void)stream;
  return NULL;
}

size_t fread(void *__restrict memory, size_t size, size_t count, FILE *__restrict stream) {
  (void)memory;
  (void)size;
  (void)count;
  (void)stream;
  return 0;
}

int vscanf(const char *__restrict format, va_list arguments) { return vsscanf("", format, arguments); }

int vfscanf(FILE *__restrict stream, const char *__restrict format, va_list arguments) {
  (void)stream;
  return vsscanf("", format, arguments);
}

int scanf(const char *__restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf("", format, arguments);
  va_end(arguments);
  return count;
}

int fscanf(FILE *__restrict stream, const char *__restrict format, ...) {
  (void)stream;
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf("", format, arguments);
  va_end(arguments);
  return count;
}

/* Standard input is at its end from the start. */
int feof(FILE *stream) { return fileno(stream) == STDIN_FILENO; }

void clearerr(FILE *stream) { (void)stream; }

ssize_t read(int file, void *buffer, size_t size) {
  __fencepost_cancellation_point();
  if (file == STDIN_FILENO) return 0;
  if (__fencepost_read_file) return __fencepost_read_file(file, buffer, size);
  errno = EBADF;
  return -1;
}

/*
 * Standard input: empty, or what --stdin gives. The text is a constant. The position is in our own records, under a
 * lock once there are other threads; without a text there is nothing to lock, and every read returns end of file.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Set by the front-end: the text, followed by a zero, and its length. */
extern char __fencepost_stdin_text[];
char __fencepost_stdin_text[1] = {0};
int __fencepost_stdin_size = 0;

static int input_lock, position, has_ended;

static int begin(void) {
  int is_locked = __fencepost_glance(&__fencepost_stdin_size) != 0 && __fencepost_glance(&__fencepost_threaded);
  if (is_locked) __fencepost_lock(&input_lock);
  return is_locked;
}

static void end(int is_locked) {
  if (is_locked) __fencepost_unlock(&input_lock);
}

static int is_input(FILE *stream) { return fileno(stream) == STDIN_FILENO; }

/* Under the lock. */
static int next(void) {
  int at = __fencepost_glance(&position);
  if (at >= __fencepost_glance(&__fencepost_stdin_size)) {
    if (!__fencepost_glance(&has_ended)) __fencepost_poke(&has_ended, 1);
    return EOF;
  }
  __fencepost_poke(&position, at + 1);
  return (unsigned char)__fencepost_glance_byte(&__fencepost_stdin_text[at]);
}

int getc(FILE *stream) {
  if (!is_input(stream)) return EOF;
  int is_locked = begin();
  int c = next();
  end(is_locked);
  return c;
}

int fgetc(FILE *stream) { return getc(stream); }

int getchar(void) { return getc(stdin); }

/* Only what was just read can be pushed back. */
int ungetc(int c, FILE *stream) {
  if (c == EOF || !is_input(stream)) return EOF;
  int is_locked = begin();
  int at = __fencepost_glance(&position) - 1;
  if (at < 0 || (unsigned char)__fencepost_glance_byte(&__fencepost_stdin_text[at]) != (unsigned char)c)
    __fencepost_not_modelled("ungetc of another character than the last one");
  __fencepost_poke(&position, at);
  __fencepost_poke(&has_ended, 0);
  end(is_locked);
  return (unsigned char)c;
}

char *fgets(char *__restrict buffer, int size, FILE *__restrict stream) {
  if (!is_input(stream) || size <= 0) return NULL;
  int is_locked = begin();
  int count = 0;
  for (int c = 0; count < size - 1 && c != '\n'; count++) {
    if ((c = next()) == EOF) break;
    buffer[count] = (char)c;
  }
  int is_empty = count == 0 && size > 1;
  if (!is_empty) buffer[count] = 0;
  end(is_locked);
  return is_empty ? NULL : buffer;
}

ssize_t getdelim(char **__restrict line, size_t *__restrict size, int stop, FILE *__restrict stream) {
  if (!is_input(stream)) return -1;
  int is_locked = begin();
  size_t count = 0;
  char *text = *line;
  size_t room = text ? *size : 0;
  for (int c; (c = next()) != EOF;) {
    if (count + 2 > room) {
      room = room < 60 ? 120 : 2 * room;
      text = realloc(text, room);
    }
    text[count++] = (char)c;
    if (c == (unsigned char)stop) break;
  }
  if (count > 0) text[count] = 0;
  end(is_locked);
  *line = text;
  *size = room;
  return count > 0 ? (ssize_t)count : -1;
}

ssize_t getline(char **__restrict line, size_t *__restrict size, FILE *__restrict stream) {
  return getdelim(line, size, '\n', stream);
}

static size_t take(char *buffer, size_t most) {
  int is_locked = begin();
  size_t count = 0;
  for (int c; count < most && (c = next()) != EOF; count++) buffer[count] = (char)c;
  end(is_locked);
  return count;
}

size_t fread(void *__restrict memory, size_t size, size_t count, FILE *__restrict stream) {
  return size == 0 || !is_input(stream) ? 0 : take(memory, size * count) / size;
}

int vfscanf(FILE *__restrict stream, const char *__restrict format, va_list arguments) {
  if (!is_input(stream)) return vsscanf("", format, arguments);
  int is_locked = begin();
  struct private_taken taken;
  int at = __fencepost_glance(&position);
  int count = __fencepost_scan(&__fencepost_stdin_text[at], &taken, format, arguments);
  if (taken.count > 0) __fencepost_poke(&position, at + taken.count);
  if (at + taken.count == __fencepost_glance(&__fencepost_stdin_size) && !__fencepost_glance(&has_ended))
    __fencepost_poke(&has_ended, 1);
  end(is_locked);
  return count;
}

int vscanf(const char *__restrict format, va_list arguments) { return vfscanf(stdin, format, arguments); }

int scanf(const char *__restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vfscanf(stdin, format, arguments);
  va_end(arguments);
  return count;
}

int fscanf(FILE *__restrict stream, const char *__restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vfscanf(stream, format, arguments);
  va_end(arguments);
  return count;
}

/* Empty standard input is at its end from the start. */
int feof(FILE *stream) {
  if (!is_input(stream)) return 0;
  if (__fencepost_glance(&__fencepost_stdin_size) == 0) return 1;
  int is_locked = begin();
  int is_over = __fencepost_glance(&has_ended);
  end(is_locked);
  return is_over;
}

void clearerr(FILE *stream) {
  if (!is_input(stream) || __fencepost_glance(&__fencepost_stdin_size) == 0) return;
  int is_locked = begin();
  __fencepost_poke(&has_ended, 0);
  end(is_locked);
}

ssize_t read(int file, void *buffer, size_t size) {
  __fencepost_cancellation_point();
  if (file == STDIN_FILENO) return (ssize_t)take(buffer, size);
  if (__fencepost_read_file) return __fencepost_read_file(file, buffer, size);
  errno = EBADF;
  return -1;
}

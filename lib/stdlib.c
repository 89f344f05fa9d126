#include <fencepost/machine.h>
#include <stdlib.h>

void *malloc(size_t size) { return __fencepost_malloc(size); }

/* Fresh memory is zero in our machine. */
void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return __fencepost_malloc(bytes);
}

void free(void *pointer) {
  if (pointer) __fencepost_free(pointer);
}

void exit(int status) { __fencepost_exit(status); }

void _Exit(int status) { __fencepost_exit(status); }

void abort(void) { __fencepost_abort(); }

int abs(int value) { return value < 0 ? -value : value; }

long labs(long value) { return value < 0 ? -value : value; }

long long llabs(long long value) { return value < 0 ? -value : value; }

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

long long atoll(const char *text) {
  long long value = 0;
  int negative = 0;
  while (is_space(*text)) text++;
  if (*text == '-' || *text == '+') negative = *text++ == '-';
  /* Downwards, because the smallest number has no positive twin. */
  for (; *text >= '0' && *text <= '9'; text++) value = 10 * value - (*text - '0');
  return negative ? value : -value;
}

int atoi(const char *text) { return (int)atoll(text); }

long atol(const char *text) { return (long)atoll(text); }

#include <string.h>

/* The three functions that copy and fill stay single operations for lowering, which splits them like struct copies. */
void *memcpy(void *__restrict to, const void *__restrict from, size_t size) {
  return __builtin_memcpy(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }

void *memset(void *memory, int value, size_t size) { return __builtin_memset(memory, value, size); }

int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *l = left, *r = right;
  for (; size > 0; size--, l++, r++) {
    int difference = *l - *r;
    if (difference != 0) return difference;
  }
  return 0;
}

void *memchr(const void *memory, int value, size_t size) {
  const unsigned char *p = memory;
  for (; size > 0; size--, p++) {
    if (*p == (unsigned char)value) return (void *)p;
  }
  return NULL;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return end - text;
}

char *strcpy(char *__restrict to, const char *__restrict from) {
  char *p = to;
  while ((*p++ = *from++)) continue;
  return to;
}

char *strncpy(char *__restrict to, const char *__restrict from, size_t size) {
  char *p = to;
  for (; size > 0 && *from; size--) *p++ = *from++;
  for (; size > 0; size--) *p++ = 0;
  return to;
}

char *strcat(char *__restrict to, const char *__restrict from) {
  char *p = to;
  while (*p) p++;
  while ((*p++ = *from++)) continue;
  return to;
}

char *strncat(char *__restrict to, const char *__restrict from, size_t size) {
  char *p = to;
  while (*p) p++;
  for (; size > 0 && *from; size--) *p++ = *from++;
  *p = 0;
  return to;
}

int strcmp(const char *left, const char *right) {
  const unsigned char *l = (const unsigned char *)left, *r = (const unsigned char *)right;
  for (;; l++, r++) {
    int a = *l, b = *r;
    if (a != b || a == 0) return a - b;
  }
}

int strncmp(const char *left, const char *right, size_t size) {
  const unsigned char *l = (const unsigned char *)left, *r = (const unsigned char *)right;
  for (; size > 0; size--, l++, r++) {
    int a = *l, b = *r;
    if (a != b || a == 0) return a - b;
  }
  return 0;
}

char *strchr(const char *text, int character) {
  for (;; text++) {
    char c = *text;
    if (c == (char)character) return (char *)text;
    if (c == 0) return NULL;
  }
}

char *strrchr(const char *text, int character) {
  const char *last = NULL;
  for (;; text++) {
    char c = *text;
    if (c == (char)character) last = text;
    if (c == 0) return (char *)last;
  }
}

/* The functions of <string.h> that few programs use. */
#include <string.h>
#include <strings.h>

/* In the "C" locale, collation is plain comparison. */
int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *__restrict to, const char *__restrict from, size_t size) {
  size_t length = strlen(from);
  if (length < size) strcpy(to, from);
  return length;
}

void *memccpy(void *__restrict to, const void *__restrict from, int value, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (; size > 0; size--) {
    unsigned char c = *f++;
    *t++ = c;
    if (c == (unsigned char)value) return t;
  }
  return NULL;
}

void *mempcpy(void *__restrict to, const void *__restrict from, size_t size) {
  memcpy(to, from, size);
  return (char *)to + size;
}

void *memrchr(const void *memory, int value, size_t size) {
  const unsigned char *bytes = memory;
  while (size > 0) {
    if (bytes[--size] == (unsigned char)value) return (void *)&bytes[size];
  }
  return NULL;
}

void *memmem(const void *memory, size_t size, const void *part, size_t part_size) {
  const char *bytes = memory;
  for (; size >= part_size; bytes++, size--) {
    if (memcmp(bytes, part, part_size) == 0) return (void *)bytes;
  }
  return NULL;
}

char *stpncpy(char *__restrict to, const char *__restrict from, size_t size) {
  for (; size > 0 && *from; size--) *to++ = *from++;
  for (size_t i = 0; i < size; i++) to[i] = 0;
  return to;
}

char *strchrnul(const char *text, int character) {
  while (*text && *text != (char)character) text++;
  return (char *)text;
}

char *strcasestr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncasecmp(text, part, length) == 0) return (char *)text;
    if (*text == 0) return NULL;
  }
}

char *strsep(char **__restrict text, const char *__restrict separators) {
  char *start = *text;
  if (!start) return NULL;
  char *end = start + strcspn(start, separators);
  if (*end) {
    *end = 0;
    *text = end + 1;
  } else {
    *text = NULL;
  }
  return start;
}

void explicit_bzero(void *memory, size_t size) { memset(memory, 0, size); }

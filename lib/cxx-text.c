/* The texts of exceptions. */
#include <fencepost/library.h>
#include <string.h>

static int is_literal(const char *text) { return __fencepost_is_static(text) && __fencepost_is_constant(text); }

const char *__fencepost_keep_text(const char *text);
const char *__fencepost_keep_text(const char *text) {
  if (is_literal(text)) return text;
  size_t size = strlen(text) + 1;
  char *copy = __fencepost_malloc(size);
  memcpy(copy, text, size);
  return copy;
}

void __fencepost_end_text(const char *text);
void __fencepost_end_text(const char *text) {
  if (!is_literal(text)) __fencepost_free((void *)text);
}

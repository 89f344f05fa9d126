#include "text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* ---- making texts */

char *rt_text_copy_part(rt_pool *pool, const char *text, size_t length) {
  size_t available = 0;
  while (available < length && text[available] != 0) available++;
  char *copy = rt_alloc(pool, available + 1);
  if (copy == 0) return 0;
  memcpy(copy, text, available);
  copy[available] = 0;
  return copy;
}

char *rt_text_copy(rt_pool *pool, const char *text) { return rt_alloc_copy(pool, text, strlen(text) + 1); }

char *rt_text_concat(rt_pool *pool, ...) {
  va_list arguments;
  size_t length = 0;
  va_start(arguments, pool);
  for (const char *part = va_arg(arguments, const char *); part != 0; part = va_arg(arguments, const char *))
    length += strlen(part);
  va_end(arguments);
  char *text = rt_alloc(pool, length + 1);
  if (text == 0) return 0;
  char *end = text;
  va_start(arguments, pool);
  for (const char *part = va_arg(arguments, const char *); part != 0; part = va_arg(arguments, const char *)) {
    size_t size = strlen(part);
    memcpy(end, part, size);
    end += size;
  }
  va_end(arguments);
  *end = 0;
  return text;
}

char *rt_text_format(rt_pool *pool, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(0, 0, format, arguments);
  va_end(arguments);
  if (length < 0) return 0;
  char *text = rt_alloc(pool, (size_t)length + 1);
  if (text == 0) return 0;
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

/* ---- in place */

char *rt_text_trim(char *text) {
  while (is_space(*text)) text++;
  size_t length = strlen(text);
  while (length > 0 && is_space(text[length - 1])) length--;
  text[length] = 0;
  return text;
}

void rt_text_to_lower(char *text) {
  for (; *text != 0; text++) *text = lower(*text);
}

void rt_text_to_upper(char *text) {
  for (; *text != 0; text++) *text = upper(*text);
}

/* ---- comparing and finding */

int rt_text_compare_case(const char *left, const char *right) {
  while (*left != 0 && lower(*left) == lower(*right)) {
    left++;
    right++;
  }
  return (unsigned char)lower(*left) - (unsigned char)lower(*right);
}

int rt_text_starts_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

int rt_text_ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), end = strlen(suffix);
  return length >= end && strcmp(text + length - end, suffix) == 0;
}

const char *rt_text_find(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncmp(text, part, length) == 0) return text;
    if (*text == 0) return 0;
  }
}

int rt_text_matches(const char *text, const char *pattern) {
  // After a star: where the pattern continues, and the first text not yet tried for it.
  const char *resume_pattern = 0, *resume_text = 0;
  while (*text != 0 || *pattern != 0) {
    if (*pattern == '*') {
      resume_pattern = ++pattern;
      resume_text = text;
      continue;
    }
    int is_literal = *pattern == '\\' && pattern[1] != 0;
    char expected = is_literal ? pattern[1] : *pattern;
    if (*text != 0 && *pattern != 0 && (expected == *text || (!is_literal && expected == '?'))) {
      pattern += is_literal ? 2 : 1;
      text++;
      continue;
    }
    if (resume_pattern == 0 || *resume_text == 0) return 0;
    pattern = resume_pattern;
    text = ++resume_text;
  }
  return 1;
}

/* ---- pieces */

rt_array *rt_text_split(rt_pool *pool, const char *text, const char *separators) {
  rt_array *pieces = rt_array_create(pool, 4, sizeof(const char *));
  if (pieces == 0) return 0;
  while (*text != 0) {
    while (*text != 0 && strchr(separators, *text) != 0) text++;
    const char *end = text;
    while (*end != 0 && strchr(separators, *end) == 0) end++;
    if (end == text) break;
    const char **place = rt_array_push(pieces);
    if (place == 0) return 0;
    *place = rt_text_copy_part(pool, text, (size_t)(end - text));
    if (*place == 0) return 0;
    text = end;
  }
  return pieces;
}

char *rt_text_join(rt_pool *pool, const rt_array *pieces, const char *between) {
  rt_buffer buffer;
  if (rt_buffer_init(&buffer, pool, 16) != RT_OK) return 0;
  for (size_t i = 0; i < pieces->length; i++) {
    const char *const *piece = rt_array_at(pieces, i);
    if (i > 0 && rt_buffer_add(&buffer, between) != RT_OK) return 0;
    if (rt_buffer_add(&buffer, *piece) != RT_OK) return 0;
  }
  return buffer.text;
}

/* ---- numbers */

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : INT_MAX;
}

rt_status rt_text_to_int(const char *text, int base, int *number) {
  if (base < 2 || base > 36) return RT_INVALID;
  int is_negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  if (*text == 0) return RT_SYNTAX;
  // Counted down: there is one more negative number than there are positive ones.
  int value = 0;
  for (; *text != 0; text++) {
    int digit = digit_value(*text);
    if (digit >= base) return RT_SYNTAX;
    if (value < (INT_MIN + digit) / base) return RT_RANGE;
    value = value * base - digit;
  }
  if (!is_negative && value == INT_MIN) return RT_RANGE;
  *number = is_negative ? value : -value;
  return RT_OK;
}

char *rt_text_from_int(rt_pool *pool, int number, int base) {
  static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  char reversed[sizeof(int) * CHAR_BIT + 1];
  size_t length = 0;
  if (base < 2 || base > 36) return 0;
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  do {
    reversed[length++] = digits[rest % (unsigned)base];
    rest /= (unsigned)base;
  } while (rest != 0);
  if (number < 0) reversed[length++] = '-';
  char *text = rt_alloc(pool, length + 1);
  if (text == 0) return 0;
  for (size_t i = 0; i < length; i++) text[i] = reversed[length - 1 - i];
  text[length] = 0;
  return text;
}

/* ---- buffers */

rt_status rt_buffer_init(rt_buffer *buffer, rt_pool *pool, size_t room) {
  buffer->pool = pool;
  buffer->room = room < 8 ? 8 : room;
  buffer->length = 0;
  buffer->text = rt_alloc(pool, buffer->room);
  if (buffer->text == 0) return RT_NO_MEMORY;
  buffer->text[0] = 0;
  return RT_OK;
}

static rt_status make_room(rt_buffer *buffer, size_t length) {
  if (length < buffer->room) return RT_OK;
  size_t room = buffer->room * 2;
  while (room <= length) room *= 2;
  char *text = rt_alloc(buffer->pool, room);
  if (text == 0) return RT_NO_MEMORY;
  memcpy(text, buffer->text, buffer->length + 1);
  buffer->text = text;
  buffer->room = room;
  return RT_OK;
}

rt_status rt_buffer_add_part(rt_buffer *buffer, const char *text, size_t length) {
  RT_TRY(make_room(buffer, buffer->length + length));
  memcpy(buffer->text + buffer->length, text, length);
  buffer->length += length;
  buffer->text[buffer->length] = 0;
  return RT_OK;
}

rt_status rt_buffer_add(rt_buffer *buffer, const char *text) {
  return rt_buffer_add_part(buffer, text, strlen(text));
}

rt_status rt_buffer_add_char(rt_buffer *buffer, char character) { return rt_buffer_add_part(buffer, &character, 1); }

rt_status rt_buffer_add_int(rt_buffer *buffer, int number) {
  char *text = rt_text_from_int(buffer->pool, number, 10);
  return text == 0 ? RT_NO_MEMORY : rt_buffer_add(buffer, text);
}

void rt_buffer_clear(rt_buffer *buffer) {
  buffer->length = 0;
  buffer->text[0] = 0;
}

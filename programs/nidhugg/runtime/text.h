/* Strings in pools. Everything returned is null-terminated; null means out of memory. */
#ifndef RT_TEXT_H
#define RT_TEXT_H

#include "array.h"
#include "pool.h"

char *rt_text_copy(rt_pool *pool, const char *text);
/* At most `length` characters of it. */
char *rt_text_copy_part(rt_pool *pool, const char *text, size_t length);
/* Concatenates all arguments; the last one is null. */
char *rt_text_concat(rt_pool *pool, ...);
__attribute__((__format__(__printf__, 2, 3))) char *rt_text_format(rt_pool *pool, const char *format, ...);

/* Without spaces, tabs and line ends on either side; in place. */
char *rt_text_trim(char *text);
void rt_text_to_lower(char *text);
void rt_text_to_upper(char *text);

/* Like strcmp, but case-insensitive (for ASCII letters). */
int rt_text_compare_case(const char *left, const char *right);
int rt_text_starts_with(const char *text, const char *prefix);
int rt_text_ends_with(const char *text, const char *suffix);
/* The first occurrence of the second in the first, or null. */
const char *rt_text_find(const char *text, const char *part);

/* The pieces between separators, which are single characters; empty pieces are omitted. An array of `const char *`. */
rt_array *rt_text_split(rt_pool *pool, const char *text, const char *separators);
char *rt_text_join(rt_pool *pool, const rt_array *pieces, const char *between);

/* The whole text as a number in that base (2 to 36), with an optional sign. */
rt_status rt_text_to_int(const char *text, int base, int *number);
char *rt_text_from_int(rt_pool *pool, int number, int base);

/* Patterns: `*` for any characters, `?` for one, `\` before one that means itself. */
int rt_text_matches(const char *text, const char *pattern);

/* ---- texts that grow */

typedef struct rt_buffer {
  rt_pool *pool;
  char *text;
  size_t length;
  size_t room;
} rt_buffer;

rt_status rt_buffer_init(rt_buffer *buffer, rt_pool *pool, size_t room);
rt_status rt_buffer_add(rt_buffer *buffer, const char *text);
rt_status rt_buffer_add_part(rt_buffer *buffer, const char *text, size_t length);
rt_status rt_buffer_add_char(rt_buffer *buffer, char character);
rt_status rt_buffer_add_int(rt_buffer *buffer, int number);
void rt_buffer_clear(rt_buffer *buffer);

#endif

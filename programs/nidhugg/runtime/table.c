#include "table.h"

#include "array.h"
#include "text.h"

#include <string.h>

typedef struct entry {
  const char *name;
  const char *value;
} entry;

struct rt_table {
  rt_array *entries;
};

static entry *at(const rt_table *table, size_t index) { return rt_array_at(table->entries, index); }

static int has_name(const entry *e, const char *name) { return rt_text_compare_case(e->name, name) == 0; }

rt_table *rt_table_create(rt_pool *pool) {
  rt_table *table = rt_alloc(pool, sizeof *table);
  if (table == 0) return 0;
  table->entries = rt_array_create(pool, 4, sizeof(entry));
  return table->entries == 0 ? 0 : table;
}

rt_table *rt_table_copy(rt_pool *pool, const rt_table *table) {
  rt_table *copy = rt_table_create(pool);
  if (copy == 0) return 0;
  for (size_t i = 0; i < table->entries->length; i++)
    if (rt_table_add(copy, at(table, i)->name, at(table, i)->value) != RT_OK) return 0;
  return copy;
}

static entry *find(const rt_table *table, const char *name) {
  for (size_t i = 0; i < table->entries->length; i++)
    if (has_name(at(table, i), name)) return at(table, i);
  return 0;
}

const char *rt_table_get(const rt_table *table, const char *name) {
  entry *e = find(table, name);
  return e == 0 ? 0 : e->value;
}

rt_status rt_table_add(rt_table *table, const char *name, const char *value) {
  rt_pool *pool = table->entries->pool;
  entry copied = {rt_text_copy(pool, name), rt_text_copy(pool, value)};
  if (copied.name == 0 || copied.value == 0) return RT_NO_MEMORY;
  entry *e = rt_array_push(table->entries);
  if (e == 0) return RT_NO_MEMORY;
  *e = copied;
  return RT_OK;
}

size_t rt_table_remove(rt_table *table, const char *name) {
  size_t removed = 0;
  for (size_t i = table->entries->length; i > 0; i--) {
    if (!has_name(at(table, i - 1), name)) continue;
    rt_array_remove(table->entries, i - 1);
    removed++;
  }
  return removed;
}

rt_status rt_table_set(rt_table *table, const char *name, const char *value) {
  rt_table_remove(table, name);
  return rt_table_add(table, name, value);
}

rt_status rt_table_merge(rt_table *table, const char *name, const char *value) {
  entry *e = find(table, name);
  if (e == 0) return rt_table_add(table, name, value);
  const char *both = rt_text_concat(table->entries->pool, e->value, ", ", value, (char *)0);
  if (both == 0) return RT_NO_MEMORY;
  e->value = both;
  return RT_OK;
}

size_t rt_table_count(const rt_table *table) { return table->entries->length; }

int rt_table_each(const rt_table *table, const char *name, rt_table_visit *visit, void *data) {
  for (size_t i = 0; i < table->entries->length; i++) {
    entry *e = at(table, i);
    if (name != 0 && !has_name(e, name)) continue;
    if (!visit(data, e->name, e->value)) return 0;
  }
  return 1;
}

rt_status rt_table_parse(rt_table *table, const char *text) {
  rt_array *lines = rt_text_split(table->entries->pool, text, "\r\n");
  if (lines == 0) return RT_NO_MEMORY;
  for (size_t i = 0; i < lines->length; i++) {
    char *line = *(char **)rt_array_at(lines, i);
    char *colon = strchr(line, ':');
    if (colon == 0 || colon == line) return RT_SYNTAX;
    *colon = 0;
    RT_TRY(rt_table_add(table, rt_text_trim(line), rt_text_trim(colon + 1)));
  }
  return RT_OK;
}

static int print_entry(void *data, const char *name, const char *value) {
  rt_buffer *buffer = data;
  return rt_buffer_add(buffer, name) == RT_OK && rt_buffer_add(buffer, ": ") == RT_OK &&
         rt_buffer_add(buffer, value) == RT_OK && rt_buffer_add_char(buffer, '\n') == RT_OK;
}

char *rt_table_print(rt_pool *pool, const rt_table *table) {
  rt_buffer buffer;
  if (rt_buffer_init(&buffer, pool, 64) != RT_OK) return 0;
  return rt_table_each(table, 0, print_entry, &buffer) ? buffer.text : 0;
}

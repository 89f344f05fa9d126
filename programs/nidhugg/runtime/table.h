/*
 * Tables of names and texts, in the order in which they were added. Names are compared case-insensitively and may
 * occur more than once, as in the header of a message.
 */
#ifndef RT_TABLE_H
#define RT_TABLE_H

#include "pool.h"

typedef struct rt_table rt_table;
typedef int rt_table_visit(void *data, const char *name, const char *value);

rt_table *rt_table_create(rt_pool *pool);
rt_table *rt_table_copy(rt_pool *pool, const rt_table *table);
/* The first one of that name, or null. */
const char *rt_table_get(const rt_table *table, const char *name);
/* Replaces all others of that name, or adds to them. Both are copied. */
rt_status rt_table_set(rt_table *table, const char *name, const char *value);
rt_status rt_table_add(rt_table *table, const char *name, const char *value);
/* Appends to the first one of that name, with a comma. */
rt_status rt_table_merge(rt_table *table, const char *name, const char *value);
size_t rt_table_remove(rt_table *table, const char *name);
size_t rt_table_count(const rt_table *table);
/* All entries, or those of one name (if it is not null); false ends the walk. */
int rt_table_each(const rt_table *table, const char *name, rt_table_visit *visit, void *data);
/* Lines of the form `name: value`; any other line is a syntax error. */
rt_status rt_table_parse(rt_table *table, const char *text);
char *rt_table_print(rt_pool *pool, const rt_table *table);

#endif

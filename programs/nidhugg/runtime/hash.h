/*
 * Hash tables from byte strings to pointers, in pools. Keys are not copied. A null value means no value.
 * No locks: see shared_map.h for a table that threads share.
 */
#ifndef RT_HASH_H
#define RT_HASH_H

#include "pool.h"

/* As a length: the key is a null-terminated text. */
#define RT_KEY_TEXT ((size_t)-1)

typedef struct rt_hash rt_hash;
/* False ends the walk. */
typedef int rt_hash_visit(void *data, const void *key, size_t length, void *value);

rt_hash *rt_hash_create(rt_pool *pool);
/* With a null value: removes the key. */
rt_status rt_hash_set(rt_hash *hash, const void *key, size_t length, void *value);
void *rt_hash_get(const rt_hash *hash, const void *key, size_t length);
size_t rt_hash_count(const rt_hash *hash);
void rt_hash_clear(rt_hash *hash);
/* In no particular order, but always in the same one. True if the walk was not ended early. */
int rt_hash_each(const rt_hash *hash, rt_hash_visit *visit, void *data);
/* Keys in both have the value of the second. */
rt_hash *rt_hash_merge(rt_pool *pool, const rt_hash *first, const rt_hash *second);

#endif

/* A hash table that threads share, protected by a reader-writer lock. Keys are copied, and live as long as the map. */
#ifndef RT_SHARED_MAP_H
#define RT_SHARED_MAP_H

#include "hash.h"

typedef struct rt_shared_map rt_shared_map;

/* The map has a pool of its own under `pool`. */
rt_status rt_shared_map_create(rt_shared_map **made, rt_pool *pool);
/* RT_EXISTS if there is one already, which is not replaced. */
rt_status rt_shared_map_add(rt_shared_map *map, const char *key, void *value);
rt_status rt_shared_map_set(rt_shared_map *map, const char *key, void *value);
rt_status rt_shared_map_remove(rt_shared_map *map, const char *key);
void *rt_shared_map_get(rt_shared_map *map, const char *key);
size_t rt_shared_map_count(rt_shared_map *map);

#endif

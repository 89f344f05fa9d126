#include "shared_map.h"

#include "lock.h"
#include "text.h"

struct rt_shared_map {
  rt_pool *pool;
  rt_rwlock *lock;
  rt_hash *hash;
};

rt_status rt_shared_map_create(rt_shared_map **made, rt_pool *pool) {
  rt_shared_map *map = rt_alloc(pool, sizeof *map);
  if (map == 0) return RT_NO_MEMORY;
  RT_TRY(rt_pool_create(&map->pool, pool));
  rt_pool_set_tag(map->pool, "shared map");
  RT_TRY(rt_rwlock_create(&map->lock, map->pool));
  map->hash = rt_hash_create(map->pool);
  if (map->hash == 0) return RT_NO_MEMORY;
  *made = map;
  return RT_OK;
}

/* Requires the lock for writing. */
static rt_status set_locked(rt_shared_map *map, const char *key, void *value, int is_known) {
  if (!is_known) key = rt_text_copy(map->pool, key);
  return key == 0 ? RT_NO_MEMORY : rt_hash_set(map->hash, key, RT_KEY_TEXT, value);
}

rt_status rt_shared_map_add(rt_shared_map *map, const char *key, void *value) {
  RT_TRY(rt_rwlock_write(map->lock));
  int is_known = rt_hash_get(map->hash, key, RT_KEY_TEXT) != 0;
  rt_status status = is_known ? RT_EXISTS : set_locked(map, key, value, 0);
  RT_TRY(rt_rwlock_unlock(map->lock));
  return status;
}

rt_status rt_shared_map_set(rt_shared_map *map, const char *key, void *value) {
  RT_TRY(rt_rwlock_write(map->lock));
  int is_known = rt_hash_get(map->hash, key, RT_KEY_TEXT) != 0;
  rt_status status = set_locked(map, key, value, is_known);
  RT_TRY(rt_rwlock_unlock(map->lock));
  return status;
}

rt_status rt_shared_map_remove(rt_shared_map *map, const char *key) {
  RT_TRY(rt_rwlock_write(map->lock));
  rt_status status = rt_hash_set(map->hash, key, RT_KEY_TEXT, 0);
  RT_TRY(rt_rwlock_unlock(map->lock));
  return status;
}

void *rt_shared_map_get(rt_shared_map *map, const char *key) {
  if (rt_rwlock_read(map->lock) != RT_OK) return 0;
  void *value = rt_hash_get(map->hash, key, RT_KEY_TEXT);
  rt_rwlock_unlock(map->lock);
  return value;
}

size_t rt_shared_map_count(rt_shared_map *map) {
  if (rt_rwlock_read(map->lock) != RT_OK) return 0;
  size_t count = rt_hash_count(map->hash);
  rt_rwlock_unlock(map->lock);
  return count;
}

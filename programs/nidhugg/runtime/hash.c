#include "hash.h"

#include "digest.h"

#include <string.h>

enum { FIRST_SLOTS = 8 };

typedef struct entry {
  struct entry *next;
  unsigned digest;
  const void *key;
  size_t length;
  void *value;
} entry;

struct rt_hash {
  rt_pool *pool;
  entry **slots;
  /* A power of two. */
  size_t slot_count;
  size_t count;
  /* Entries of removed keys, for reuse. */
  entry *spare;
};

static entry **make_slots(rt_pool *pool, size_t count) { return rt_alloc_zeroed(pool, count * sizeof(entry *)); }

rt_hash *rt_hash_create(rt_pool *pool) {
  rt_hash *hash = rt_alloc(pool, sizeof *hash);
  if (hash == 0) return 0;
  hash->pool = pool;
  hash->slot_count = FIRST_SLOTS;
  hash->slots = make_slots(pool, FIRST_SLOTS);
  hash->count = 0;
  hash->spare = 0;
  return hash->slots == 0 ? 0 : hash;
}

static size_t key_length(const void *key, size_t length) { return length == RT_KEY_TEXT ? strlen(key) : length; }

/* The link to the entry of a key, or the one at the end of its slot. */
static entry **find(const rt_hash *hash, const void *key, size_t length, unsigned digest) {
  entry **link = &hash->slots[digest & (hash->slot_count - 1)];
  while (*link != 0) {
    entry *e = *link;
    if (e->digest == digest && e->length == length && memcmp(e->key, key, length) == 0) break;
    link = &e->next;
  }
  return link;
}

static rt_status grow(rt_hash *hash) {
  size_t count = hash->slot_count * 2;
  entry **slots = make_slots(hash->pool, count);
  if (slots == 0) return RT_NO_MEMORY;
  for (size_t i = 0; i < hash->slot_count; i++) {
    entry *next;
    for (entry *e = hash->slots[i]; e != 0; e = next) {
      next = e->next;
      entry **slot = &slots[e->digest & (count - 1)];
      e->next = *slot;
      *slot = e;
    }
  }
  hash->slots = slots;
  hash->slot_count = count;
  return RT_OK;
}

static entry *make_entry(rt_hash *hash) {
  entry *e = hash->spare;
  if (e == 0) return rt_alloc(hash->pool, sizeof *e);
  hash->spare = e->next;
  return e;
}

static void remove_entry(rt_hash *hash, entry **link) {
  entry *e = *link;
  *link = e->next;
  e->next = hash->spare;
  hash->spare = e;
  hash->count--;
}

rt_status rt_hash_set(rt_hash *hash, const void *key, size_t length, void *value) {
  length = key_length(key, length);
  unsigned digest = rt_digest_fnv(key, length);
  entry **link = find(hash, key, length, digest);
  if (value == 0) {
    if (*link == 0) return RT_NOT_FOUND;
    remove_entry(hash, link);
    return RT_OK;
  }
  if (*link != 0) {
    (*link)->value = value;
    return RT_OK;
  }
  if (hash->count >= hash->slot_count) {
    RT_TRY(grow(hash));
    link = find(hash, key, length, digest);
  }
  entry *e = make_entry(hash);
  if (e == 0) return RT_NO_MEMORY;
  e->next = 0;
  e->digest = digest;
  e->key = key;
  e->length = length;
  e->value = value;
  *link = e;
  hash->count++;
  return RT_OK;
}

void *rt_hash_get(const rt_hash *hash, const void *key, size_t length) {
  length = key_length(key, length);
  entry *e = *find(hash, key, length, rt_digest_fnv(key, length));
  return e == 0 ? 0 : e->value;
}

size_t rt_hash_count(const rt_hash *hash) { return hash->count; }

void rt_hash_clear(rt_hash *hash) {
  for (size_t i = 0; i < hash->slot_count; i++)
    while (hash->slots[i] != 0) remove_entry(hash, &hash->slots[i]);
}

int rt_hash_each(const rt_hash *hash, rt_hash_visit *visit, void *data) {
  for (size_t i = 0; i < hash->slot_count; i++) {
    entry *next;
    for (entry *e = hash->slots[i]; e != 0; e = next) {
      // The visitor may remove the entry it is shown.
      next = e->next;
      if (!visit(data, e->key, e->length, e->value)) return 0;
    }
  }
  return 1;
}

static int copy_entry(void *to, const void *key, size_t length, void *value) {
  return rt_hash_set(to, key, length, value) == RT_OK;
}

rt_hash *rt_hash_merge(rt_pool *pool, const rt_hash *first, const rt_hash *second) {
  rt_hash *merged = rt_hash_create(pool);
  if (merged == 0) return 0;
  if (!rt_hash_each(first, copy_entry, merged) || !rt_hash_each(second, copy_entry, merged)) return 0;
  return merged;
}

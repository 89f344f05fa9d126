#include "pool.h"

#include "list.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 8, BLOCK_BYTES = 512, BLOCK_CLASSES = 3 };

/* Blocks have BLOCK_BYTES << class bytes; larger ones, made for one request, have no class and are never kept. */
typedef struct block {
  struct block *next;
  int class;
  size_t size;
  size_t used;
  char *memory;
} block;

typedef struct allocator {
  pthread_mutex_t lock;
  block *kept[BLOCK_CLASSES];
  size_t kept_count;
  size_t keep;
} allocator;

typedef struct cleanup {
  struct cleanup *next;
  rt_cleanup *function;
  void *data;
} cleanup;

struct rt_pool {
  rt_pool *parent;
  allocator *allocator;
  /* Guards `children`, and the links of each child. */
  pthread_mutex_t lock;
  rt_node children;
  rt_node link;
  /* The first one is being filled. */
  block *blocks;
  cleanup *cleanups;
  size_t bytes;
  const char *tag;
};

static size_t aligned(size_t size) { return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

/* ---- the allocator */

static allocator *allocator_create(size_t keep) {
  allocator *a = malloc(sizeof *a);
  if (a == 0) return 0;
  pthread_mutex_init(&a->lock, 0);
  for (int class = 0; class < BLOCK_CLASSES; class++) a->kept[class] = 0;
  a->kept_count = 0;
  a->keep = keep;
  return a;
}

static void block_free(block *b) {
  free(b->memory);
  free(b);
}

static void allocator_destroy(allocator *a) {
  for (int class = 0; class < BLOCK_CLASSES; class++) {
    while (a->kept[class] != 0) {
      block *b = a->kept[class];
      a->kept[class] = b->next;
      block_free(b);
    }
  }
  pthread_mutex_destroy(&a->lock);
  free(a);
}

static int class_for(size_t size) {
  for (int class = 0; class < BLOCK_CLASSES; class++)
    if (size <= (size_t)BLOCK_BYTES << class) return class;
  return -1;
}

static block *block_create(int class, size_t size) {
  block *b = malloc(sizeof *b);
  if (b == 0) return 0;
  b->next = 0;
  b->class = class;
  b->size = class < 0 ? size : (size_t)BLOCK_BYTES << class;
  b->used = 0;
  b->memory = malloc(b->size);
  if (b->memory == 0) {
    free(b);
    return 0;
  }
  return b;
}

/* A block with room for `size` bytes. */
static block *allocator_take(allocator *a, size_t size) {
  int class = class_for(size);
  if (class >= 0 && a->keep > 0) {
    pthread_mutex_lock(&a->lock);
    block *b = a->kept[class];
    if (b != 0) {
      a->kept[class] = b->next;
      a->kept_count--;
    }
    pthread_mutex_unlock(&a->lock);
    if (b != 0) {
      b->next = 0;
      b->used = 0;
      return b;
    }
  }
  return block_create(class, size);
}

static void allocator_give_back(allocator *a, block *b) {
  while (b != 0) {
    block *next = b->next;
    int is_kept = 0;
    if (b->class >= 0 && a->keep > 0) {
      pthread_mutex_lock(&a->lock);
      if (a->kept_count < a->keep) {
        b->next = a->kept[b->class];
        a->kept[b->class] = b;
        a->kept_count++;
        is_kept = 1;
      }
      pthread_mutex_unlock(&a->lock);
    }
    if (!is_kept) block_free(b);
    b = next;
  }
}

/* ---- pools */

static rt_pool *pool_create(rt_pool *parent, allocator *a) {
  rt_pool *pool = malloc(sizeof *pool);
  if (pool == 0) return 0;
  pool->parent = parent;
  pool->allocator = a;
  pthread_mutex_init(&pool->lock, 0);
  rt_list_init(&pool->children);
  rt_list_init(&pool->link);
  pool->blocks = 0;
  pool->cleanups = 0;
  pool->bytes = 0;
  pool->tag = "";
  return pool;
}

rt_status rt_pool_create_root(rt_pool **made, size_t keep) {
  allocator *a = allocator_create(keep);
  if (a == 0) return RT_NO_MEMORY;
  rt_pool *pool = pool_create(0, a);
  if (pool == 0) {
    allocator_destroy(a);
    return RT_NO_MEMORY;
  }
  *made = pool;
  return RT_OK;
}

rt_status rt_pool_create(rt_pool **made, rt_pool *parent) {
  if (parent == 0) return RT_INVALID;
  rt_pool *pool = pool_create(parent, parent->allocator);
  if (pool == 0) return RT_NO_MEMORY;
  pthread_mutex_lock(&parent->lock);
  rt_list_push_back(&parent->children, &pool->link);
  pthread_mutex_unlock(&parent->lock);
  *made = pool;
  return RT_OK;
}

static void run_cleanups(rt_pool *pool) {
  while (pool->cleanups != 0) {
    cleanup *c = pool->cleanups;
    pool->cleanups = c->next;
    c->function(c->data);
  }
}

static rt_pool *last_child(rt_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  rt_node *last = rt_list_is_empty(&pool->children) ? 0 : pool->children.previous;
  pthread_mutex_unlock(&pool->lock);
  return last == 0 ? 0 : RT_OBJECT_OF(last, rt_pool, link);
}

void rt_pool_clear(rt_pool *pool) {
  for (rt_pool *child = last_child(pool); child != 0; child = last_child(pool)) rt_pool_destroy(child);
  run_cleanups(pool);
  block *blocks = pool->blocks;
  pool->blocks = 0;
  pool->bytes = 0;
  allocator_give_back(pool->allocator, blocks);
}

void rt_pool_destroy(rt_pool *pool) {
  rt_pool_clear(pool);
  rt_pool *parent = pool->parent;
  if (parent != 0) {
    pthread_mutex_lock(&parent->lock);
    rt_list_remove(&pool->link);
    pthread_mutex_unlock(&parent->lock);
  } else {
    allocator_destroy(pool->allocator);
  }
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

/* ---- memory */

void *rt_alloc(rt_pool *pool, size_t size) {
  size_t needed = aligned(size == 0 ? 1 : size);
  block *b = pool->blocks;
  if (b == 0 || b->size - b->used < needed) {
    b = allocator_take(pool->allocator, needed);
    if (b == 0) return 0;
    // A block for one large request goes after the one being filled.
    if (b->class < 0 && pool->blocks != 0) {
      b->next = pool->blocks->next;
      pool->blocks->next = b;
    } else {
      b->next = pool->blocks;
      pool->blocks = b;
    }
  }
  void *memory = b->memory + b->used;
  b->used += needed;
  pool->bytes += needed;
  return memory;
}

void *rt_alloc_zeroed(rt_pool *pool, size_t size) {
  void *memory = rt_alloc(pool, size);
  if (memory != 0) memset(memory, 0, size);
  return memory;
}

void *rt_alloc_copy(rt_pool *pool, const void *from, size_t size) {
  void *memory = rt_alloc(pool, size);
  if (memory != 0) memcpy(memory, from, size);
  return memory;
}

/* ---- cleanups */

rt_status rt_pool_on_cleanup(rt_pool *pool, rt_cleanup *function, void *data) {
  cleanup *c = rt_alloc(pool, sizeof *c);
  if (c == 0) return RT_NO_MEMORY;
  c->function = function;
  c->data = data;
  c->next = pool->cleanups;
  pool->cleanups = c;
  return RT_OK;
}

rt_status rt_pool_forget_cleanup(rt_pool *pool, rt_cleanup *function, void *data) {
  for (cleanup **c = &pool->cleanups; *c != 0; c = &(*c)->next) {
    if ((*c)->function == function && (*c)->data == data) {
      *c = (*c)->next;
      return RT_OK;
    }
  }
  return RT_NOT_FOUND;
}

rt_status rt_pool_run_cleanup(rt_pool *pool, rt_cleanup *function, void *data) {
  RT_TRY(rt_pool_forget_cleanup(pool, function, data));
  function(data);
  return RT_OK;
}

/* ---- properties of a pool */

rt_pool *rt_pool_parent(const rt_pool *pool) { return pool->parent; }

int rt_pool_is_ancestor(const rt_pool *ancestor, const rt_pool *pool) {
  while (pool != 0 && pool != ancestor) pool = pool->parent;
  return pool != 0;
}

void rt_pool_set_tag(rt_pool *pool, const char *tag) { pool->tag = tag; }

const char *rt_pool_tag(const rt_pool *pool) { return pool->tag; }

size_t rt_pool_bytes(const rt_pool *pool) { return pool->bytes; }

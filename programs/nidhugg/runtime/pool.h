/*
 * Memory pools: allocate piece by piece, free all at once.
 *
 * Pools form a tree; a pool dies with its parent. A pool belongs to one thread at a time and takes no lock to allocate.
 * Creating and destroying children of a pool does: threads may have their own pools under a common parent. Blocks come
 * from an allocator, which keeps some returned blocks for the next pool and is shared by a whole tree.
 *
 * A pool calls its cleanup functions when it is cleared or destroyed, the newest first, before its memory is freed.
 */
#ifndef RT_POOL_H
#define RT_POOL_H

#include "status.h"

typedef struct rt_pool rt_pool;
typedef void rt_cleanup(void *data);

/* A pool without a parent, and an allocator of its own that keeps at most `keep` blocks. */
rt_status rt_pool_create_root(rt_pool **made, size_t keep);
rt_status rt_pool_create(rt_pool **made, rt_pool *parent);

/* Children first, then cleanups, then memory. A thread that destroys or clears a pool must be its only user. */
void rt_pool_destroy(rt_pool *pool);
void rt_pool_clear(rt_pool *pool);

/* Aligned for anything; null if there is no memory. The second one fills with zeros. */
void *rt_alloc(rt_pool *pool, size_t size);
void *rt_alloc_zeroed(rt_pool *pool, size_t size);
void *rt_alloc_copy(rt_pool *pool, const void *from, size_t size);

rt_status rt_pool_on_cleanup(rt_pool *pool, rt_cleanup *function, void *data);
/* Forgets a cleanup without calling it, or calls it now. */
rt_status rt_pool_forget_cleanup(rt_pool *pool, rt_cleanup *function, void *data);
rt_status rt_pool_run_cleanup(rt_pool *pool, rt_cleanup *function, void *data);

rt_pool *rt_pool_parent(const rt_pool *pool);
int rt_pool_is_ancestor(const rt_pool *ancestor, const rt_pool *pool);
void rt_pool_set_tag(rt_pool *pool, const char *tag);
const char *rt_pool_tag(const rt_pool *pool);
/* Bytes allocated from this pool alone, including alignment. */
size_t rt_pool_bytes(const rt_pool *pool);

#endif

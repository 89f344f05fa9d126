/*
 * A ring from one thread that puts to one that takes, without locks: the one writes only `tail`, the other only `head`.
 * Built with NO_BARRIER it lacks the barrier between item and index, an error that shows under PSO only.
 */
#ifndef RT_RING_H
#define RT_RING_H

#include "pool.h"

typedef struct rt_ring rt_ring;

/* `room` is a power of two. */
rt_status rt_ring_create(rt_ring **made, rt_pool *pool, unsigned room);
/* RT_FULL or RT_EMPTY if it cannot be done now. */
rt_status rt_ring_put(rt_ring *ring, int item);
rt_status rt_ring_take(rt_ring *ring, int *item);
/* Waits until there is one. */
int rt_ring_wait(rt_ring *ring);

#endif

/*
 * A lock-free ring from one producer to one consumer: the producer writes only `tail`, the consumer only `head`.
 * Built with NO_BARRIER it lacks the barrier between item and index, an error that shows only under PSO.
 */
#ifndef RT_RING_H
#define RT_RING_H

#include "pool.h"

typedef struct rt_ring rt_ring;

/* `room` is a power of two. */
rt_status rt_ring_create(rt_ring **made, rt_pool *pool, unsigned room);
/* RT_FULL or RT_EMPTY if that is impossible now. */
rt_status rt_ring_put(rt_ring *ring, int item);
rt_status rt_ring_take(rt_ring *ring, int *item);
/* Waits until there is one. */
int rt_ring_wait(rt_ring *ring);

#endif

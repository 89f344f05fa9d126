#include "ring.h"

#include "atomic.h"

struct rt_ring {
  /* Next to take, next to put; both only grow, and wrap around. */
  rt_atomic head, tail;
  unsigned mask;
  rt_atomic *items;
};

rt_status rt_ring_create(rt_ring **made, rt_pool *pool, unsigned room) {
  if (room == 0 || (room & (room - 1)) != 0) return RT_INVALID;
  rt_ring *ring = rt_alloc(pool, sizeof *ring);
  if (ring == 0) return RT_NO_MEMORY;
  ring->items = rt_alloc_zeroed(pool, room * sizeof *ring->items);
  if (ring->items == 0) return RT_NO_MEMORY;
  ring->mask = room - 1;
  rt_atomic_write(&ring->head, 0);
  rt_atomic_write(&ring->tail, 0);
  *made = ring;
  return RT_OK;
}

rt_status rt_ring_put(rt_ring *ring, int item) {
  unsigned tail = (unsigned)rt_atomic_read(&ring->tail);
  if (tail - (unsigned)rt_atomic_read(&ring->head) > ring->mask) return RT_FULL;
  rt_atomic_write(&ring->items[tail & ring->mask], item);
#ifndef NO_BARRIER
  rt_barrier_store_store();
#endif
  rt_atomic_write(&ring->tail, (int)(tail + 1));
  return RT_OK;
}

rt_status rt_ring_take(rt_ring *ring, int *item) {
  unsigned head = (unsigned)rt_atomic_read(&ring->head);
  if (head == (unsigned)rt_atomic_read(&ring->tail)) return RT_EMPTY;
  *item = rt_atomic_read(&ring->items[head & ring->mask]);
  rt_atomic_write(&ring->head, (int)(head + 1));
  return RT_OK;
}

int rt_ring_wait(rt_ring *ring) {
  int item;
  while (rt_ring_take(ring, &item) != RT_OK)
    ;
  return item;
}

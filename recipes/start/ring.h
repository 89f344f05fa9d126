/* A ring for one producer and one consumer. Replace it with your own code. */
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 2

struct ring {
  int slots[SLOTS];
  atomic_uint written, read;
};

static inline bool ring_push(struct ring *ring, int value) {
  unsigned written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  if (written - atomic_load_explicit(&ring->read, memory_order_acquire) == SLOTS) return false;
  ring->slots[written % SLOTS] = value;
  atomic_store_explicit(&ring->written, written + 1, memory_order_release);
  return true;
}

static inline bool ring_pop(struct ring *ring, int *value) {
  unsigned read = atomic_load_explicit(&ring->read, memory_order_relaxed);
  if (atomic_load_explicit(&ring->written, memory_order_acquire) == read) return false;
  *value = ring->slots[read % SLOTS];
  atomic_store_explicit(&ring->read, read + 1, memory_order_release);
  return true;
}

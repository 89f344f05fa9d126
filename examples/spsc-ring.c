/*
 * A ring buffer for one producer and one consumer.
 *
 * It needs no lock and no read-modify-write: only the producer moves `written`, only the consumer moves `taken`. But
 * it does need an order: the value must be in its slot before the index says so. SC and TSO keep stores in order.
 * Under PSO, where each location has a buffer of its own, the index can overtake the value, and the consumer takes
 * what was in the slot before: a zero here, last week's message in a real queue.
 *
 * The fix is a release store of the index, which stays after the accesses before it. On these machines the consumer's
 * index needs none, since no store overtakes an earlier load. In C11 it does: read the value before the slot is free.
 *
 *   fencepost check examples/spsc-ring.c                sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/spsc-ring.c -D RELEASE     verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

enum { SLOTS = 2 };

int slots[SLOTS];
atomic_int written, taken;

/* False if the ring is full. */
static int put(int value) {
  int at = atomic_load_explicit(&written, memory_order_relaxed);
  if (at - atomic_load_explicit(&taken, memory_order_acquire) == SLOTS) return 0;
  slots[at % SLOTS] = value;
  atomic_store_explicit(&written, at + 1, PUBLISH);
  return 1;
}

/* 0 if the ring is empty. */
static int take(void) {
  int at = atomic_load_explicit(&taken, memory_order_relaxed);
  if (at == atomic_load_explicit(&written, memory_order_acquire)) return 0;
  int value = slots[at % SLOTS];
  atomic_store_explicit(&taken, at + 1, PUBLISH);
  assert(value == at + 1);
  return value;
}

static void *producer(void *unused) {
  (void)unused;
  for (int value = 1; value <= 3 && put(value); value++)
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  take();
  take();
  pthread_join(thread, 0);
  return 0;
}

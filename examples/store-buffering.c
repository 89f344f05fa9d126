/*
 * Store buffering: the smallest program that is correct under every interleaving and wrong on real hardware.
 *
 * Each thread raises its own flag and then looks at the other's. The one that looks last must see the other flag up, so
 * under sequential consistency at least one thread knows of the other. On x86 both stores can still be waiting in
 * their processors' store buffers while both loads run, and neither thread sees the other.
 *
 *   fencepost check examples/store-buffering.c              sc: verified; tso, pso and rc11: violation
 *   fencepost check examples/store-buffering.c -D FENCED    verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

atomic_int flag[2];
int saw_other[2];

static void *first(void *unused) {
  (void)unused;
  atomic_store_explicit(&flag[0], 1, memory_order_relaxed);
  FENCE();
  saw_other[0] = atomic_load_explicit(&flag[1], memory_order_relaxed);
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  atomic_store_explicit(&flag[1], 1, memory_order_relaxed);
  FENCE();
  saw_other[1] = atomic_load_explicit(&flag[0], memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(saw_other[0] || saw_other[1]);
  return 0;
}

/*
 * Store buffering: the smallest program that is correct under every interleaving and wrong on real hardware.
 *
 * Each thread raises its own flag and then looks at the other's. The one that looks last must see the other flag up, so
 * under sequential consistency at least one thread knows of the other. On x86 both stores can still be waiting in
 * their processors' store buffers while both loads run, and neither thread sees the other.
 *
 *   fencepost check examples/store-buffering.c              sc: verified, tso and pso: violation
 *   fencepost check examples/store-buffering.c -D FENCED    verified under all three
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

int flag[2];
int saw_other[2];

static void *first(void *unused) {
  (void)unused;
  flag[0] = 1;
  FENCE();
  saw_other[0] = flag[1];
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  flag[1] = 1;
  FENCE();
  saw_other[1] = flag[0];
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

/*
 * A sequence lock: readers take no lock, but notice a concurrent writer and try again.
 *
 * The writer makes the number odd, writes, and makes it even. A reader that saw the same even number before and after
 * has read nothing half-written, provided that the stores reach memory in that order. Under PSO they need not: the
 * data can come before the odd number, or after the even one. Either way, a reader sees half of the update and does
 * not notice.
 *
 * The fix is a release fence after the odd number, and a release store of the even one. A release store of the odd
 * number is not enough: it orders what comes before it, and here what comes after it matters. Loads run in order on
 * these machines, so the reader needs no fence; C11 and weaker machines need one before the second look.
 *
 *   fencepost check examples/seqlock.c               sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/seqlock.c -D FENCED     verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_release)
#define END memory_order_release
#else
#define FENCE() ((void)0)
#define END memory_order_relaxed
#endif

atomic_int sequence;
atomic_int hour = 11, minute = 59;

static void *writer(void *unused) {
  (void)unused;
  atomic_store_explicit(&sequence, 1, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&hour, 12, memory_order_relaxed);
  atomic_store_explicit(&minute, 0, memory_order_relaxed);
  atomic_store_explicit(&sequence, 2, END);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int before = atomic_load_explicit(&sequence, memory_order_acquire);
  int h = atomic_load_explicit(&hour, memory_order_acquire);
  int m = atomic_load_explicit(&minute, memory_order_acquire);
  int after = atomic_load_explicit(&sequence, memory_order_relaxed);
  /* A real reader would try again if this does not hold. */
  if (before % 2 == 0 && before == after) assert((h == 11 && m == 59) || (h == 12 && m == 0));
  pthread_join(thread, 0);
  return 0;
}

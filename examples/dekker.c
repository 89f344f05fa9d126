/*
 * Dekker's entry protocol: two threads keep each other out of a critical section with two flags.
 *
 * Raise your own flag, and enter only if the other one is down. (Dekker's full algorithm then decides who tries
 * again; here a thread that finds the other flag up simply leaves.) Under sequential consistency, one of the two looks
 * last and sees the other's flag, so both are never inside. Under TSO a raised flag can wait in the store buffer
 * while its owner already reads the other one: both find the other flag down, and both enter. The assertion
 * catches the second one.
 *
 * The fix is a full fence between raising the flag and looking: it waits until the flag is in memory. A release
 * store is not enough, because it orders earlier stores before the flag, not the flag before later loads.
 *
 * Under PSO there is a second way to fail, which the full fence alone leaves open: lowering the flag can overtake the
 * store "nobody is inside" before it. That store represents whatever the critical section writes. A release store of
 * the flag keeps them in order.
 *
 *   fencepost check examples/dekker.c                          sc: verified; tso, pso and rc11: violation
 *   fencepost check examples/dekker.c -D FENCED                sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/dekker.c -D FENCED -D RELEASE     verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

#ifdef RELEASE
#define LEAVE memory_order_release
#else
#define LEAVE memory_order_relaxed
#endif

atomic_int flag[2];
int inside;

static void try_to_enter(int me) {
  atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
  FENCE();
  if (atomic_load_explicit(&flag[1 - me], memory_order_acquire) == 0) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
  }
  atomic_store_explicit(&flag[me], 0, LEAVE);
}

static void *other(void *unused) {
  (void)unused;
  try_to_enter(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  try_to_enter(0);
  pthread_join(thread, 0);
  return 0;
}

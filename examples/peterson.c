/*
 * Peterson's lock for two threads: announce that you want to enter, give the other the turn, and wait while the other
 * wants to enter and has the turn.
 *
 * Each of the four models needs more than the previous one:
 *
 *   SC    nothing.
 *   TSO   a full fence before the waiting loop. Without it, both threads can read the other's flag while their own
 *         still waits in the store buffer, and both enter.
 *   PSO   also the order of the stores. If the turn becomes visible before the flag, the other thread enters past a
 *         flag that is not up yet, and has already given the turn back. And lowering the flag at the end must not
 *         overtake the counter. Release stores (a store-store barrier before them) keep both in order.
 *   C11   also a full fence between the two stores: in rc11 release stores do not order the turn and the other thread's
 *         turn. `fencepost fix` finds it.
 *
 * A loop that waits can iterate any number of times. Another iteration changes nothing for any thread, so the checker
 * puts the thread to sleep instead: those executions are the blocked ones.
 *
 *   fencepost check examples/peterson.c                         sc: verified; tso, pso and rc11: violation
 *   fencepost check examples/peterson.c -D FENCED               sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/peterson.c -D FENCED -D RELEASE    sc, tso, pso: verified; rc11: violation (race)
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
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

atomic_int wants[2];
atomic_int turn;
int counter;

static int must_wait(int other) {
  return atomic_load_explicit(&wants[other], memory_order_acquire) &&
         atomic_load_explicit(&turn, memory_order_acquire) == other;
}

static void count(int me) {
  int other = 1 - me;
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_store_explicit(&turn, other, ORDER);
  FENCE();
  while (must_wait(other))
    ;
  counter++;
  atomic_store_explicit(&wants[me], 0, ORDER);
}

static void *second(void *unused) {
  (void)unused;
  count(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  count(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}

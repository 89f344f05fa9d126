/*
 * The sense-reversing barrier: the last thread to arrive reverses the sense, and the others wait for that.
 * D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, 1988; Mellor-Crummey and Scott, 1991.
 *
 * Arriving is an atomic decrement. Under TSO it drains the store buffer; a relaxed one under PSO does not, and what
 * was written before the barrier is not visible after it. The sense is reversed with a release store, so that the count
 * comes first. With NO_SENSE, all wait for the count to be full again instead. A thread that returns
 * quickly lowers it before the others have seen it full, and all wait forever, under every model.
 */
#include "../fences.h"

enum { THREADS = 2, ROUNDS = 2 };

atomic_int count = THREADS;
atomic_int sense;
atomic_int round_of[THREADS];

static void arrive(int my_sense) {
  STORE_STORE();
  if (add(count, -1) == 1) {
    set(count, THREADS);
    atomic_store_explicit(&sense, my_sense, memory_order_release);
    return;
  }
#ifdef NO_SENSE
  while (get(count) != THREADS)
    ;
#else
  while (get(sense) != my_sense)
    ;
#endif
}

static void work(int me) {
  for (int round = 1; round <= ROUNDS; round++) {
    set(round_of[me], round);
    arrive(round % 2);
#ifndef NO_SENSE
    assert(get(round_of[1 - me]) >= round);
#endif
  }
}

static void *second(void *unused) {
  (void)unused;
  work(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}

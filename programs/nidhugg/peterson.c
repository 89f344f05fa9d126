/*
 * Peterson's mutual exclusion, as a benchmark: two threads that enter ROUNDS times each. [NIDHUGG] Table 1, peterson.c.
 *
 * Both threads store (the wish, the turn) and then load what the other stored. Under TSO both loads can come first.
 * Under PSO the turn can overtake the wish, and the exit what was written inside, even with the fence for TSO.
 *
 * The loop waits and writes nothing: no bound is needed.
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

atomic_int wish[2];
atomic_int turn;
atomic_int inside;

static void *run(void *argument) {
  int me = argument != 0, other = 1 - me;
  for (int round = 0; round < ROUNDS; round++) {
    set(wish[me], 1);
    STORE_STORE();
    set(turn, other);
    STORE_LOAD();
    while (get(wish[other]) && get(turn) == other)
      ;
    set(inside, me + 1);
    assert(get(inside) == me + 1);
    STORE_STORE();
    set(wish[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, run, 0);
  pthread_create(&threads[1], 0, run, &turn);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

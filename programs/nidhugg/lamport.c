/*
 * Lamport's fast mutual exclusion, as a benchmark: two threads that enter ROUNDS times each. [NIDHUGG] Table 1,
 * lamport.c.
 *
 * Each of the two stores of the fast path (its name to x, then to y) is followed by a load of the other variable.
 * Under TSO the load can come first, and both threads take the fast path. Under PSO the exit can overtake what was
 * written inside; and the hand can go down before y is free, so that a thread on the slow path takes y for its own and
 * the late store then frees it.
 *
 * The loops that wait write nothing, and a thread starts again only after the other has taken a step: no bound is
 * needed. (The paper unrolls 8 times.)
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

atomic_int hand[2]; /* raised by a thread that is interested */
atomic_int x, y;    /* 0, or the name of a thread: 1 or 2 */
atomic_int inside;

static void enter(int me) {
  int name = me + 1, other = 1 - me;
  for (;;) {
    set(hand[me], 1);
    set(x, name);
    STORE_LOAD();
    if (get(y) != 0) {
      set(hand[me], 0);
      while (get(y) != 0)
        ;
      continue;
    }
    set(y, name);
    STORE_LOAD();
    if (get(x) == name) return;
    set(hand[me], 0);
    while (get(hand[other]))
      ;
    if (get(y) == name) return;
    while (get(y) != 0)
      ;
  }
}

static void *run(void *argument) {
  int me = argument != 0;
  for (int round = 0; round < ROUNDS; round++) {
    enter(me);
    set(inside, me + 1);
    assert(get(inside) == me + 1);
    STORE_STORE();
    set(y, 0);
    STORE_STORE();
    set(hand[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, run, 0);
  pthread_create(&threads[1], 0, run, &x);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

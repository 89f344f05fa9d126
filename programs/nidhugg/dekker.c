/*
 * Dekker's mutual exclusion, as a benchmark: two threads that enter ROUNDS times each, and check inside whether the
 * other has been there. [NIDHUGG] Table 1, dekker.c.
 *
 * A thread raises its flag and reads the other's: under TSO it can read before the flag is up, and both enter.
 * With those fences PSO still lets a flag go down before the writes inside are visible, or before the turn is given:
 * with the late turn, a thread that enters again can wait for a turn that nobody gives any more.
 *
 * The loops wait and write nothing: no bound is needed. (The paper unrolls 10 times.)
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

atomic_int flag[2];
atomic_int turn;
atomic_int inside;

static void enter(int me) {
  int other = 1 - me;
  set(flag[me], 1);
  STORE_LOAD();
  while (get(flag[other])) {
    if (get(turn) == me) continue;
    set(flag[me], 0);
    while (get(turn) != me)
      ;
    set(flag[me], 1);
    STORE_LOAD();
  }
}

static void leave(int me) {
  set(turn, 1 - me);
  STORE_STORE();
  set(flag[me], 0);
}

static void *run(void *argument) {
  int me = argument != 0;
  for (int round = 0; round < ROUNDS; round++) {
    enter(me);
    set(inside, me + 1);
    assert(get(inside) == me + 1);
    leave(me);
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

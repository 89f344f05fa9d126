/*
 * Peterson's algorithm for two threads.
 * G. L. Peterson, Myths about the mutual exclusion problem, 1981.
 *
 * Announce that you want to enter, give the other priority, and wait while the other wants to enter and has priority.
 * Each thread stores and then loads what the other stores. Under TSO both loads can run while both stores still wait
 * in the buffers, and both threads enter. Under PSO the turn can also overtake the flag: the other thread then enters
 * past a flag that is not up yet, having given the turn back. And the exit can overtake what was written inside.
 */
#include "../fences.h"

atomic_int wants[2];
atomic_int turn;
int counter;

static void enter_and_leave(int me) {
  int other = 1 - me;
  set(wants[me], 1);
  STORE_STORE();
  set(turn, other);
  STORE_LOAD();
  while (get(wants[other]) && get(turn) == other)
    ;
  counter++;
  STORE_STORE();
  set(wants[me], 0);
}

static void *second(void *unused) {
  (void)unused;
  enter_and_leave(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  enter_and_leave(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}

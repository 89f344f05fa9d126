/*
 * Szymanski's algorithm for two threads: a waiting room with two doors, and one variable of five values per thread.
 * B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait, 1988.
 *
 * The first two stores to a thread's flag must be in memory before it reads the other's. Under TSO they need not be:
 * both threads enter, or each waits forever for the other to close the door. The later stores only let the other
 * continue, so it does not matter when they come. All stores of the entry go to one location, and PSO has nothing to
 * reorder there; but the exit can overtake what was written inside.
 */
#include "../fences.h"

enum { OUTSIDE, INTENDS, WAITS_FOR_OTHERS, AT_DOOR_IN, DOOR_CLOSED };

atomic_int flag[2];
int counter;

static void enter_and_leave(int me) {
  int other = 1 - me;
  set(flag[me], INTENDS);
  STORE_LOAD();
  while (get(flag[other]) >= AT_DOOR_IN)
    ;
  set(flag[me], AT_DOOR_IN);
  STORE_LOAD();
  if (get(flag[other]) == INTENDS) {
    set(flag[me], WAITS_FOR_OTHERS);
    while (get(flag[other]) != DOOR_CLOSED)
      ;
  }
  set(flag[me], DOOR_CLOSED);
  if (other < me)
    while (get(flag[other]) >= WAITS_FOR_OTHERS)
      ;
  counter++;
  if (me < other) {
    int theirs;
    while ((theirs = get(flag[other])) == WAITS_FOR_OTHERS || theirs == AT_DOOR_IN)
      ;
  }
  STORE_STORE();
  set(flag[me], OUTSIDE);
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

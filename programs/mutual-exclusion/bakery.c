/*
 * Lamport's bakery for two threads.
 * L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974.
 *
 * Take a number larger than all others, and wait until no thread is choosing or has a smaller one. Two stores
 * are followed by loads of what the other stores: "choosing" by that of the numbers, the number by those of both.
 * Under TSO these loads can come first, and both enter. Under PSO "has chosen" can be seen before the number itself,
 * so that the other passes a thread with a smaller number; and the exit can overtake what was written inside.
 */
#include "../fences.h"

atomic_int choosing[2];
atomic_int number[2];
int counter;

static void enter_and_leave(int me) {
  int other = 1 - me;
  set(choosing[me], 1);
  STORE_LOAD();
  int mine = get(number[other]) + 1;
  set(number[me], mine);
  STORE_STORE();
  set(choosing[me], 0);
  STORE_LOAD();
  while (get(choosing[other]))
    YIELDED();
  int theirs;
  while ((theirs = get(number[other])) != 0 && (theirs < mine || (theirs == mine && other < me)))
    YIELDED();
  WORK();
  STORE_STORE();
  set(number[me], 0);
}

#ifndef OWN_HARNESS
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
#endif

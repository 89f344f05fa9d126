/*
 * Lamport's bakery for two threads (L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974).
 *
 * Two stores are followed by loads of what the other stores: "choosing" by that of its number, the number by those of
 * both. Under TSO these loads can come first, and both threads enter. Under PSO stores can also overtake each other;
 * with all the fences every execution is one of SC.
 *
 * Harness: two threads, the creating one among them, with three critical sections: two in the creating thread, one in
 * the other.
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
    ;
  int theirs;
  while ((theirs = get(number[other])) != 0 && (theirs < mine || (theirs == mine && other < me)))
    ;
  counter++;
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
  enter_and_leave(0);
  pthread_join(thread, 0);
  assert(counter == 3);
  return 0;
}
#endif

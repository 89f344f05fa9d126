/*
 * Lamport's fast mutual exclusion, for two threads: seven accesses without contention, however many threads there
 * are.
 * L. Lamport, A fast mutual exclusion algorithm, 1987.
 *
 * Write your name to x, see that y is empty, write your name to y, see that x is still yours. Both times, a store
 * must not be overtaken by the load after it; under TSO it is, and both threads enter. Under PSO the exit can
 * overtake what was written inside. On the way out y must be emptied before its flag is lowered: a thread on the
 * slow path that sees the flag first would keep y for its own, and the late store would then empty it. (That takes a
 * third entry, which does not happen here.)
 */
#include "../fences.h"

enum { NOBODY = -1 };

atomic_int busy[2];
atomic_int x = NOBODY, y = NOBODY;
int counter;

static void enter(int me) {
  int other = 1 - me;
  for (;;) {
    set(busy[me], 1);
    set(x, me);
    STORE_LOAD();
    if (get(y) != NOBODY) {
      set(busy[me], 0);
      while (get(y) != NOBODY)
        ;
      continue;
    }
    set(y, me);
    STORE_LOAD();
    if (get(x) == me) return;
    set(busy[me], 0);
    while (get(busy[other]))
      ;
    if (get(y) == me) return;
    while (get(y) != NOBODY)
      ;
  }
}

static void enter_and_leave(int me) {
  enter(me);
  counter++;
  STORE_STORE();
  set(y, NOBODY);
  STORE_STORE();
  set(busy[me], 0);
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

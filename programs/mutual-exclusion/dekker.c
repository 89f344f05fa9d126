/*
 * Dekker's algorithm for two threads, the first solution with loads and stores alone.
 * T. J. Dekker, about 1962; in E. W. Dijkstra, Cooperating sequential processes, 1965.
 *
 * Raise your flag; while the other's is up, lower yours if it is not your turn, wait for your turn, and raise it
 * again. Each time a flag goes up, the load of the other flag must not run before it. Under TSO it can, and both
 * enter. Under PSO the stores that hand over (turn, flag) can also overtake what was written inside; the order
 * between those two does not matter.
 *
 * The second store-load fence is for threads that enter again: here, when it is a thread's turn, the other has
 * finished.
 */
#include "../fences.h"

atomic_int flag[2];
atomic_int turn;
int counter;

static void enter_and_leave(int me) {
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
  counter++;
  STORE_STORE();
  set(turn, other);
  set(flag[me], 0);
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

/*
 * Burns' one-bit algorithm for two threads.
 * J. E. Burns, N. A. Lynch, Mutual exclusion using indivisible reads and writes, 1980 (also known as Lamport's
 * one-bit algorithm).
 *
 * Thread 0 raises its bit and waits for thread 1's to go down. Thread 1 waits for thread 0's bit to be down, raises
 * its own, and starts again if thread 0's went up meanwhile. Under TSO both can look before the other sees their
 * bits up. Under PSO the exit can overtake what was written inside.
 */
#include "../fences.h"

atomic_int bit[2];
int counter;

static void enter(int me) {
  if (me == 0) {
    set(bit[0], 1);
    STORE_LOAD();
    while (get(bit[1]))
      ;
    return;
  }
  for (;;) {
    while (get(bit[0]))
      ;
    set(bit[1], 1);
    STORE_LOAD();
    if (!get(bit[0])) return;
    set(bit[1], 0);
  }
}

static void enter_and_leave(int me) {
  enter(me);
  counter++;
  STORE_STORE();
  set(bit[me], 0);
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

/*
 * Dekker's algorithm (T. J. Dekker, about 1962; in M. Ben-Ari, Principles of concurrent programming, 1982).
 *
 * A raised flag must be visible before the other flag is read. Under TSO it need not be, and both threads enter.
 * Under PSO the lowered flag can also overtake what was written before it; with all the fences SC allows every
 * execution. The second store-load fence is for threads that enter again: here, when it is a thread's turn, the other
 * has finished.
 *
 * Harness: two threads, one of them the creating thread, with one critical section each. With -D BACK a thread that must
 * give way lowers its flag for one moment only, instead of until it is its turn, and gives up its turn last.
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
    if (get(turn) == me) {
      YIELDED();
      continue;
    }
    set(flag[me], 0);
#ifdef BACK
    YIELDED();
#else
    while (get(turn) != me) YIELDED();
#endif
    set(flag[me], 1);
    STORE_LOAD();
  }
  WORK();
#ifdef BACK
  set(flag[me], 0);
  set(turn, other);
#else
  set(turn, other);
  STORE_STORE();
  set(flag[me], 0);
#endif
}

static void *second(void *unused) {
  (void)unused;
  STARTED();
  enter_and_leave(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  enter_and_leave(0);
  pthread_join(thread, 0);
  assert(counter == WORKED(2));
  return 0;
}

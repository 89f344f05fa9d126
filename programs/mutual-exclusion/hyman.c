/*
 * Hyman's algorithm for two threads, which is wrong.
 * H. Hyman, Comments on a problem in concurrent programming control, 1966; D. E. Knuth showed the error in the same
 * year.
 *
 * A thread whose turn it is enters without checking the other's flag. The other may have seen the flag down just
 * before it went up, takes the turn, and enters as well. This needs no store buffers, and no fence fixes it.
 */
#include "../fences.h"

atomic_int flag[2];
atomic_int turn;
int counter;

static void enter_and_leave(int me) {
  int other = 1 - me;
  set(flag[me], 1);
  STORE_LOAD();
  while (get(turn) != me) {
    while (get(flag[other]))
      ;
    set(turn, me);
    STORE_LOAD();
  }
  counter++;
  STORE_STORE();
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

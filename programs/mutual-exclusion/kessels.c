/*
 * Kessels' algorithm for two threads: Peterson's, with the turn split so that every variable has one writer.
 * J. L. W. Kessels, Arbitration without common modifiable variables, 1982.
 *
 * The turn is the exclusive or of two bits, one written by each thread. Both the flag and the bit are followed by a
 * load of what the other thread stores. Under TSO these loads can run first, and both threads enter. Under PSO
 * the exit can overtake what was written inside.
 */
#include "../fences.h"

atomic_int wants[2];
atomic_int bit[2];
int counter;

static void enter_and_leave(int me) {
  int other = 1 - me;
  set(wants[me], 1);
  STORE_LOAD();
  int mine = (get(bit[other]) + me) % 2;
  set(bit[me], mine);
  STORE_LOAD();
  while (get(wants[other]) && (get(bit[other]) + me) % 2 == mine)
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

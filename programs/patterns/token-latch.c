/*
 * A token that one process hands to the other and gets back, with a latch that signals its arrival.
 * After PostgreSQL's latches, whose error was found on Power by T. Lane in 2011 and modelled by J. Alglave and
 * others, 2013.
 *
 * Handing over: give away the token, then set the latch of the other. Under TSO the stores stay in order. Under PSO the
 * latch can come before the token: the other wakes up without it.
 */
#include "../fences.h"

atomic_int latch[2] = {1, 0};
atomic_int token[2] = {1, 0};

static void wait_and_pass_on(int me) {
  while (!get(latch[me]))
    ;
  set(latch[me], 0);
  assert(get(token[me]));
  set(token[me], 0);
  set(token[1 - me], 1);
  STORE_STORE();
  set(latch[1 - me], 1);
}

static void *second(void *unused) {
  (void)unused;
  wait_and_pass_on(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  wait_and_pass_on(0);
  pthread_join(thread, 0);
  return 0;
}

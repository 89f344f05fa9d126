/*
 * The ticket lock: draw a number, wait until it is called.
 * D. P. Reed, R. K. Kanodia, Synchronization with eventcounts and sequencers, 1979; Mellor-Crummey and Scott, 1991.
 *
 * Only the owner calls the next number, with a store. Under PSO this can overtake the stores of the critical section.
 */
#include "../fences.h"

atomic_int next, serving;
int counter;

static void lock_and_unlock(void) {
  int ticket = add(next, 1);
  while (get(serving) != ticket)
    ;
  counter++;
  STORE_STORE();
  set(serving, ticket + 1);
}

static void *second(void *unused) {
  (void)unused;
  lock_and_unlock();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  lock_and_unlock();
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}

/*
 * The test-and-test-and-set lock: wait with loads, and exchange only when the lock looks free.
 * L. Rudolph, Z. Segall, Dynamic decentralized cache schemes for MIMD parallel processors, 1984.
 *
 * As with test-and-set, the store that unlocks can overtake the critical section under PSO. With BLIND_TAKE the lock
 * is taken with a store instead of the exchange: two threads that saw it free both take it, under every model.
 */
#include "../fences.h"

atomic_int held;
int counter;

static void lock_and_unlock(void) {
#ifdef BLIND_TAKE
  while (get(held))
    ;
  set(held, 1);
  STORE_LOAD();
#else
  do {
    while (get(held))
      ;
  } while (swap(held, 1));
#endif
  counter++;
  STORE_STORE();
  set(held, 0);
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

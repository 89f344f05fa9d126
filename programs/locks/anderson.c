/*
 * Anderson's array lock: a slot in the array for each waiting thread, so that each spins on a location of its
 * own.
 * T. E. Anderson, The performance of spin lock alternatives for shared-memory multiprocessors, 1990.
 *
 * The owner opens the next slot with a store. Under PSO this can overtake the stores of the critical section. Each
 * slot is used once here, so none has to be closed again.
 */
#include "../fences.h"

atomic_int next;
atomic_int open[3] = {1};
int counter;

static void lock_and_unlock(void) {
  int place = add(next, 1);
  while (!get(open[place]))
    ;
  counter++;
  STORE_STORE();
  set(open[place + 1], 1);
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

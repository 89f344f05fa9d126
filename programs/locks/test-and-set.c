/*
 * The test-and-set spin lock, the oldest one with a read-modify-write (IBM System/360, 1964).
 *
 * Taking the lock is an atomic exchange, which drains the store buffer under TSO; unlocking is a store after all
 * stores of the critical section. Under PSO that store can overtake them, and the next owner reads old
 * values.
 */
#include "../fences.h"

atomic_int held;
int counter;

static void lock_and_unlock(void) {
  while (swap(held, 1))
    ;
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

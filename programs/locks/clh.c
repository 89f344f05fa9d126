/*
 * The CLH queue lock: like MCS, but each thread spins on the place of the one before it.
 * T. S. Craig, Building FIFO and priority-queueing spin locks from atomic swap, 1993; A. Landin, E. Hagersten, 1994.
 *
 * "I have the lock or wait for it" must be there before the exchange that lets others see the place, and the store
 * that takes it back must come after the critical section. TSO keeps both orders. Under PSO both can break: the next
 * thread finds a place that looks free, or reads what was there before.
 */
#include "../fences.h"

struct place {
  atomic_int taken;
};

/* The last one is the place of nobody, where the queue begins. */
struct place places[3];
_Atomic(struct place *) tail = &places[2];
int counter;

static void lock_and_unlock(int me) {
  struct place *mine = &places[me];
  set(mine->taken, 1);
  STORE_STORE();
  struct place *before = swap(tail, mine);
  while (get(before->taken))
    ;
  counter++;
  STORE_STORE();
  set(mine->taken, 0);
}

static void *second(void *unused) {
  (void)unused;
  lock_and_unlock(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  lock_and_unlock(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}

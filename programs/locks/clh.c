/*
 * The CLH queue lock: like MCS, but each thread spins on its predecessor's node.
 * T. S. Craig, Building FIFO and priority-queueing spin locks from atomic swap, 1993; A. Landin, E. Hagersten, 1994.
 *
 * "I have the lock or wait for it" must be in memory before the exchange that publishes the node, and the store
 * that retracts it must come after the critical section. TSO keeps both orders. Under PSO both can break: the next
 * thread finds a node that looks free, or reads old values.
 */
#include "../fences.h"

struct place {
  atomic_int taken;
};

/* The last one belongs to no thread: the queue begins there. */
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

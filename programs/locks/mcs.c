/*
 * The MCS queue lock: a list of waiting threads, each of which spins on a location of its own and is released by its
 * predecessor.
 * J. M. Mellor-Crummey, M. L. Scott, Algorithms for scalable synchronization on shared-memory multiprocessors, 1991.
 *
 * The exchange that joins the queue is acq_rel: "must wait" is in memory before other threads can see the node.
 * Unlocking is a relaxed store or compare-exchange. Under PSO either can overtake the stores of the critical section;
 * under TSO neither can. With EAGER_JOIN the exchange is relaxed too. Under PSO "must wait" can then reach memory
 * after the release that should end it, and the thread waits forever.
 */
#include "../fences.h"

struct place {
  _Atomic(struct place *) next;
  atomic_int must_wait;
};

struct place places[2];
_Atomic(struct place *) tail;
int counter;

#ifdef EAGER_JOIN
#define JOIN memory_order_relaxed
#define UNLOCK memory_order_release
#else
#define JOIN memory_order_acq_rel
#define UNLOCK memory_order_relaxed
#endif

static void lock(struct place *mine) {
  set(mine->must_wait, 1);
  struct place *before = atomic_exchange_explicit(&tail, mine, JOIN);
  if (before == 0) return;
  set(before->next, mine);
  while (get(mine->must_wait))
    ;
}

static void unlock(struct place *mine) {
  if (get(mine->next) == 0) {
    struct place *last = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &last, 0, UNLOCK, memory_order_relaxed)) return;
    while (get(mine->next) == 0)
      ;
  }
  atomic_store_explicit(&get(mine->next)->must_wait, 0, UNLOCK);
}

static void lock_and_unlock(int me) {
  lock(&places[me]);
  counter++;
  STORE_STORE();
  unlock(&places[me]);
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

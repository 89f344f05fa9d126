/*
 * An event count: a consumer registers as a waiter, looks again, and sleeps; a producer changes the state and wakes only
 * if somebody is registered. That is store buffering: each writes one word and then reads the other's. Both need a full
 * fence in between, or the producer sees no waiter while the consumer sees no change, and sleeps forever.
 *
 * The consumer's look is the comparison in the futex call. Linux promises a full fence there; other platforms' calls
 * (and C11) do not. PORTABLE has the consumer's own fence; NO_PRODUCER_FENCE takes the producer's away.
 */
#include "futex.h"

static atomic_int state, waiters;
static int data;

static void *consumer(void *unused) {
  while (atomic_load_explicit(&state, memory_order_acquire) == 0) {
    atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
#ifdef PORTABLE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    futex_wait(&state, 0);
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
  }
  assert(data == 1);
  return unused;
}

int main(void) {
  pthread_t thread = start(consumer);
  data = 1;
  atomic_store_explicit(&state, 1, memory_order_release);
#ifndef NO_PRODUCER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(&waiters, memory_order_relaxed) > 0) futex_wake(&state, 1);
  pthread_join(thread, 0);
}

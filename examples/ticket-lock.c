/*
 * The ticket lock: draw a number, wait until it is called, and call the next one when you leave.
 *
 * Drawing is an atomic increment. Calling is a plain store, since only the owner does it, and under SC and TSO it
 * comes after everything the owner wrote. Under PSO it can overtake the counter: the next thread enters, reads the
 * old value, and an increment is lost. The fix is a release store.
 *
 *   fencepost check examples/ticket-lock.c                sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/ticket-lock.c -D RELEASE     verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define UNLOCK memory_order_release
#else
#define UNLOCK memory_order_relaxed
#endif

atomic_int next_ticket, now_serving;
int counter;

static void *count(void *unused) {
  (void)unused;
  int ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
  while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket)
    ;
  counter++;
  atomic_store_explicit(&now_serving, ticket + 1, UNLOCK);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  count(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}

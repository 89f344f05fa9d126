/*
 * Message passing: a writer fills in the data and then raises a flag; a reader that sees the flag reads the data.
 *
 * Correct under SC and TSO, where stores reach memory in program order. Under PSO the flag can overtake the data. The
 * fix is a release store of the flag (a store-store barrier before it).
 *
 *   fencepost check examples/message-passing.c                sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/message-passing.c -D RELEASE     verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

int data;
atomic_int ready;

static void *writer(void *unused) {
  (void)unused;
  data = 42;
  atomic_store_explicit(&ready, 1, PUBLISH);
  return 0;
}

static void *reader(void *unused) {
  (void)unused;
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 42);
  return 0;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
  return 0;
}

/* Store buffering around a ring, relaxed: thread i stores its own flag and loads its neighbour's. 2^N graphs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x[N];

static void *run(void *argument) {
  intptr_t i = (intptr_t)argument;
  atomic_store_explicit(&x[i], 1, memory_order_relaxed);
  int seen = atomic_load_explicit(&x[(i + 1) % N], memory_order_relaxed);
  (void)seen;
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

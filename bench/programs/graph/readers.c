/* One relaxed store, N threads that load it: 2^N graphs. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
  (void)seen;
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, writer, 0);
  for (int i = 1; i <= N; i++) pthread_create(&threads[i], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}

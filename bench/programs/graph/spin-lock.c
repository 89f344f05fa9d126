/* N threads take a test-and-set lock, ROUNDS times each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static atomic_int taken;
static int counter;

static void *run(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
      ;
    counter++;
    atomic_store_explicit(&taken, 0, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(counter == N * ROUNDS);
  return 0;
}

/* N threads add to one counter by a compare-exchange loop that reads it once. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int x;

void *run(void *unused) {
  int old = x;
  while (!atomic_compare_exchange_strong(&x, &old, old + 1))
    ;
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

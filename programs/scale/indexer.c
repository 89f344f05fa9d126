/* N threads, four inserts each into a hash table of 128 slots by compare-exchange. After Flanagan and Godefroid (2005). */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int table[128];

void *run(void *argument) {
  int id = (int)argument, m = 0;
  for (int k = 0; k < 4; k++) {
    int w = (++m) * 11 + id;
    int h = (w * 7) % 128;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&table[h], &expected, w)) {
      h = (h + 1) % 128;
      expected = 0;
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

/* Store buffering around a ring: thread i writes its own flag and reads its neighbour's. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x[N], r[N];

void *run(void *argument) {
  int i = (int)argument;
  x[i] = 1;
  int seen = x[(i + 1) % N];
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

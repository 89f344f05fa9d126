/* Message passing around a ring: thread i writes x[i], then y[i], and reads its neighbour's y, then x. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x[N], y[N];

void *run(void *argument) {
  int i = (int)argument;
  x[i] = 1;
  y[i] = 1;
  int a = y[(i + 1) % N];
  int b = x[(i + 1) % N];
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

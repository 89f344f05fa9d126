/* N threads write one location and read it back. (N!)^2 traces. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x;

void *run(void *argument) {
  x = (int)argument;
  int r = x;
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)(i + 1));
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

/* N writers of one location and one reader. (N+1)! traces. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x;

void *writer(void *argument) {
  x = (int)argument;
  return 0;
}

void *reader(void *unused) {
  int r = x;
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, writer, (void *)(i + 1));
  pthread_create(&threads[N], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}

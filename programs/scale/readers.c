/* One writer, N readers of one location: every reader sees the old value or the new one. 2^N traces. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x;

void *writer(void *unused) {
  x = 1;
  return 0;
}

void *reader(void *unused) {
  int r = x;
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, writer, 0);
  for (int i = 1; i <= N; i++) pthread_create(&threads[i], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}

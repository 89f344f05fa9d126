/* Thread j computes a[j] = a[j-1] + 1; another one scans down for the last zero. After Abdulla et al. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int a[N + 1];

void *scan(void *unused) {
  for (int i = N; a[i] != 0; i--)
    ;
  return 0;
}

void *increment(void *argument) {
  int j = (int)argument;
  a[j] = a[j - 1] + 1;
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, scan, 0);
  for (int j = 1; j <= N; j++) pthread_create(&threads[j], 0, increment, (void *)j);
  for (int j = 0; j <= N; j++) pthread_join(threads[j], 0);
  return 0;
}

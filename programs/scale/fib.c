/* Two threads, N rounds each of i += j and j += i. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int i = 1, j = 1;

void *first(void *unused) {
  for (int k = 0; k < N; k++) i += j;
  return 0;
}

void *second(void *unused) {
  for (int k = 0; k < N; k++) j += i;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

/* N threads add to one counter under a mutex. N! traces. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int c;

void *run(void *unused) {
  pthread_mutex_lock(&mutex);
  c++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}

/** A program whose last execution fails. */

/** Fails in one execution of 720. */
export const FAILING_LATE = `
#include <assert.h>
#include <pthread.h>
#define N 6
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long order[N], next;
void *run(void *i) {
  pthread_mutex_lock(&mutex);
  order[next++] = (long)i;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  int reversed = 1;
  for (int i = 0; i < N; i++) reversed &= order[i] == N - 1 - i;
  assert(!reversed);
}`;

/* Polling with a mutex, in rounds of many reads, for what may never come: only the first of two others publishes. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 250 /* reads in a round */
#endif
static atomic_int never, first;
static int done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *waiter(void *a) {
  for (int d = 0; !d;) {
    pthread_mutex_lock(&m);
    for (int i = 0; i < N; i++) d |= atomic_load(&never);
    d |= done;
    pthread_mutex_unlock(&m);
  }
  return a;
}
static void *publisher(void *a) {
  if (atomic_exchange(&first, 1) == 0) {
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
  }
  return a;
}
static void *rival(void *a) {
  atomic_exchange(&first, 1);
  return a;
}
int main(void) {
  pthread_t t[3];
  void *(*const all[])(void *) = {waiter, publisher, rival};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, all[i], 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

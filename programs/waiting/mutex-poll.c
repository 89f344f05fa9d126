/* The most common loop of all: polling a flag under a mutex. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int done, value;
static void *waiter(void *a) {
  for (int d = 0; !d;) {
    pthread_mutex_lock(&m);
    d = done;
    pthread_mutex_unlock(&m);
    if (!d) usleep(100);
  }
  assert(value == 1);
  return a;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, waiter, 0);
  value = 1;
  pthread_mutex_lock(&m);
  PUBLISH(done = 1);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}

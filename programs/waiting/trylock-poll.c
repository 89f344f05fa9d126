/* Try to lock, look, unlock, again. */
#include <assert.h>
#include <pthread.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int ready, value;
static void *waiter(void *a) {
  for (;;) {
    if (pthread_mutex_trylock(&m)) continue;
    int r = ready;
    pthread_mutex_unlock(&m);
    if (r) break;
  }
  assert(value == 1);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&m);
  value = 1; PUBLISH(ready = 1);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}

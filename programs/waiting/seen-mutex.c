/* Polling with a mutex, and a thread that goes on once it has found the mutex taken. */
#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static atomic_int done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *visitor(void *a) {
  for (int d = 0; !d;) {
    pthread_mutex_lock(&m);
    d = atomic_load(&done);
    pthread_mutex_unlock(&m);
  }
  return a;
}
static void *porter(void *a) {
  while (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);
  PUBLISH(atomic_store(&done, 1));
  return a;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, visitor, 0);
  pthread_create(&q, 0, porter, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
}

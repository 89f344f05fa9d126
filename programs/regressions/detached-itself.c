/* The same with a thread that detaches itself, right after an operation on a mutex. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static int x;
static sem_t never;
static pthread_t t, c;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *detaches(void *_) {
  if (__atomic_load_n(&x, __ATOMIC_RELAXED)) {
    pthread_mutex_trylock(&m);
    pthread_detach(pthread_self());
  }
  sem_wait(&never);
  return 0;
}
static void *exits(void *_) {
  __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
  exit(0);
}
int main(void) {
  sem_init(&never, 0, 0);
  pthread_create(&t, 0, detaches, 0);
  pthread_create(&c, 0, exits, 0);
  pthread_join(t, 0);
  return 0;
}

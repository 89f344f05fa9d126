/*
 * The second thread detaches the first one, which main is about to join, while the third one exits. The store of the
 * third thread lets the second one detach: the join is then an error, and comes before the exit.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static int x;
static sem_t never;
static pthread_t t, b, c;
static void *waits(void *_) {
  sem_wait(&never);
  return 0;
}
static void *detaches(void *_) {
  if (__atomic_load_n(&x, __ATOMIC_RELAXED)) pthread_detach(t);
  sem_wait(&never);
  return 0;
}
static void *exits(void *_) {
  __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
  exit(0);
}
int main(void) {
  sem_init(&never, 0, 0);
  pthread_create(&t, 0, waits, 0);
  pthread_create(&b, 0, detaches, 0);
  pthread_create(&c, 0, exits, 0);
  pthread_join(t, 0);
  return 0;
}

/*
 * Fig. 4(b): the lost wake-up that SOBER found in a library. A consumer says that it is idle, looks for work, and
 * waits; a producer says that there is work, and takes the lock to wake a consumer only if one is idle.
 *
 * The consumer's lock does not help: the producer checks without it. Under TSO either side can check before the other
 * sees its store: no work for the one, nobody idle for the other, and the consumer waits forever.
 *
 * Harness: one consumer, which blocks once, and one producer, the creating thread, which notifies once.
 */
#include "../fences.h"

atomic_int is_idling, has_work;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *block_on_idle(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  set(is_idling, 1);
  STORE_LOAD();
  if (!get(has_work)) pthread_cond_wait(&condition, &lock);
  set(is_idling, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}

static void notify_potential_work(void) {
  set(has_work, 1);
  STORE_LOAD();
  if (get(is_idling)) {
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
  }
}

int main(void) {
  pthread_t consumer;
  pthread_create(&consumer, 0, block_on_idle, 0);
  notify_potential_work();
  pthread_join(consumer, 0);
  return 0;
}

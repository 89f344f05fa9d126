/*
 * The lost wake-up: a thread decides to sleep, and is woken before it does.
 * Condition variables are from C. A. R. Hoare, Monitors, 1974; this mistake is as old.
 *
 * The flag is read before the lock is taken. The signal can come in between, when no thread waits yet, and is lost:
 * a deadlock under every model. LOCKED reads it with the lock held.
 */
#include "../fences.h"

int ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
#ifdef LOCKED
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
#else
  if (!ready) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
  }
#endif
  pthread_join(thread, 0);
  return 0;
}

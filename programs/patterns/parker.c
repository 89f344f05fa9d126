/*
 * The parker of the HotSpot Java virtual machine: a permit that a thread consumes (park), or waits for, and others
 * give (unpark).
 * The error: D. Dice, A race in LockSupport park() arising from weak memory models, 2009.
 *
 * A thread that finds a permit takes it without the lock and returns, to check again what it waits for. Under TSO
 * it can check while the store that took the permit is still buffered. The other thread then finds the permit there, so
 * nobody need be woken; the late store takes it away again, and the thread sleeps forever. Under PSO the permit can
 * also overtake the news that it announces: the thread takes it, sees no news, and sleeps.
 */
#include "../fences.h"

atomic_int permit = 1;
atomic_int news;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static void park(void) {
  if (get(permit)) {
    set(permit, 0);
    STORE_LOAD();
    return;
  }
  pthread_mutex_lock(&lock);
  if (!get(permit)) pthread_cond_wait(&wake, &lock);
  set(permit, 0);
  pthread_mutex_unlock(&lock);
}

static void unpark(void) {
  pthread_mutex_lock(&lock);
  int before = get(permit);
  set(permit, 1);
  pthread_mutex_unlock(&lock);
  if (before == 0) pthread_cond_signal(&wake);
}

static void *sleeper(void *unused) {
  (void)unused;
  while (!get(news)) park();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sleeper, 0);
  set(news, 1);
  STORE_STORE();
  unpark();
  pthread_join(thread, 0);
  return 0;
}

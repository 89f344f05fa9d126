/*
 * PostgreSQL's latch: reset it, look for work, wait until it is set; a thread with work sets it, and does nothing if
 * it is set already.
 * PostgreSQL, src/backend/storage/ipc/latch.c, 2010; barriers were added in 9.5 (2015).
 *
 * Both sides store and then load what the other stores: reset and look for work; bring work and look at the latch.
 * Under TSO the latch still looks set to the one, and there is no work yet for the other, which sleeps forever. PSO
 * adds nothing.
 */
#include "../fences.h"

atomic_int is_set = 1;
atomic_int work;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
  (void)unused;
  for (;;) {
    set(is_set, 0);
    STORE_LOAD();
    if (get(work)) return 0;
    pthread_mutex_lock(&lock);
    while (!get(is_set)) pthread_cond_wait(&wake, &lock);
    pthread_mutex_unlock(&lock);
  }
}

static void set_latch(void) {
  STORE_LOAD();
  if (get(is_set)) return;
  pthread_mutex_lock(&lock);
  set(is_set, 1);
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  set(work, 1);
  set_latch();
  pthread_join(thread, 0);
  return 0;
}

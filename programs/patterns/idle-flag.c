/*
 * Idle and work: a worker that finds nothing to do says that it is idle, looks once more, and sleeps; a thread that
 * brings work wakes an idle worker.
 * After the error found in S. Burckhardt, M. Musuvathi, Effective program verification for relaxed memory models,
 * 2008.
 *
 * Each side stores and then loads what the other stores. Under TSO the worker can see no work while the other sees no
 * idle worker, and the worker sleeps forever. PSO adds nothing: each side has one store that matters.
 */
#include "../fences.h"

atomic_int idle, work;
int woken;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
  (void)unused;
  set(idle, 1);
  STORE_LOAD();
  if (get(work)) return 0;
  pthread_mutex_lock(&lock);
  while (!woken) pthread_cond_wait(&wake, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  set(work, 1);
  STORE_LOAD();
  if (get(idle)) {
    pthread_mutex_lock(&lock);
    woken = 1;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, 0);
  return 0;
}

/*
 * Idle and wake-up: a worker says that it is idle, looks once more for work, and goes to sleep; a thread with work
 * for it wakes it if it is idle.
 *
 * Each side stores and then looks at what the other stores. Under SC one of them looks last: either the worker sees
 * the work, or the other sees that the worker is idle. Under TSO both stores can still be in the buffers: the worker
 * sees no work, the other sees no thread to wake, and the worker sleeps forever. The search reports this as a
 * deadlock.
 *
 * The locks alone do not help: they protect the sleeping, not the looking. The fix is a full fence on both sides. One
 * alone is not enough; try it.
 *
 *   fencepost check examples/idle-wakeup.c               sc: verified; tso, pso and rc11: violation (deadlock)
 *   fencepost check examples/idle-wakeup.c -D FENCED     verified under all four
 */
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

atomic_int idle, work;
int woken;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake_up = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
  (void)unused;
  atomic_store_explicit(&idle, 1, memory_order_relaxed);
  FENCE();
  if (atomic_load_explicit(&work, memory_order_relaxed)) return 0;
  pthread_mutex_lock(&lock);
  while (!woken) pthread_cond_wait(&wake_up, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  atomic_store_explicit(&work, 1, memory_order_relaxed);
  FENCE();
  if (atomic_load_explicit(&idle, memory_order_relaxed)) {
    pthread_mutex_lock(&lock);
    woken = 1;
    pthread_cond_signal(&wake_up);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, 0);
  return 0;
}

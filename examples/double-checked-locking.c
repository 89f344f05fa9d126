/*
 * Double-checked locking: create something once, and spare later threads the lock.
 *
 * It looks right, since everything is written with the lock held, and unlocking makes it all visible. But a thread
 * that finds the pointer set takes no lock, and may find it before the unlock. Under TSO, the object still reaches
 * memory first. Under PSO the pointer can overtake the object that it points to.
 *
 * The fix is a release store of the pointer. (C11 also requires an acquire load on the other side. On these machines
 * loads run in order, so its absence is harmless here; elsewhere it is not.)
 *
 *   fencepost check examples/double-checked-locking.c                sc, tso: verified; pso, rc11: violation
 *   fencepost check examples/double-checked-locking.c -D RELEASE     verified under all four
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

struct settings {
  int volume;
};

struct settings storage;
_Atomic(struct settings *) instance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *settings(void) {
  struct settings *found = atomic_load_explicit(&instance, memory_order_acquire);
  if (found == 0) {
    pthread_mutex_lock(&lock);
    found = atomic_load_explicit(&instance, memory_order_relaxed);
    if (found == 0) {
      found = &storage;
      found->volume = 11;
      atomic_store_explicit(&instance, found, PUBLISH);
    }
    pthread_mutex_unlock(&lock);
  }
  return found;
}

static void *listen(void *unused) {
  (void)unused;
  assert(settings()->volume == 11);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, listen, 0);
  listen(0);
  pthread_join(thread, 0);
  return 0;
}

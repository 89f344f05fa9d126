/*
 * Double-checked locking: check without the lock, and take it only if there is nothing yet.
 * D. C. Schmidt, T. Harrison, Double-checked locking, 1996; why it fails: D. Bacon and others, 2000.
 *
 * Unlocking makes everything visible, but the other thread takes no lock: it may see the pointer before that. Under
 * TSO what it points to is in memory by then; under PSO it need not be. UNCHECKED omits the second check: under every
 * model two threads can both create the object.
 */
#include "../fences.h"

struct object {
  int ready;
};

struct object storage;
_Atomic(struct object *) instance;
int created;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *get_instance(void) {
  if (get(instance) != 0) return get(instance);
  pthread_mutex_lock(&lock);
#ifndef UNCHECKED
  if (get(instance) == 0)
#endif
  {
    assert(created == 0);
    created = 1;
    storage.ready = 1;
    STORE_STORE();
    set(instance, &storage);
  }
  pthread_mutex_unlock(&lock);
  return get(instance);
}

static void *second(void *unused) {
  (void)unused;
  assert(get_instance()->ready);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  assert(get_instance()->ready);
  pthread_join(thread, 0);
  return 0;
}

/*
 * A singleton made on first use, with double-checked locking. [NIDHUGG] Table 1, dcl_singleton.c.
 *
 * THREADS threads request the object ASKS times each and read its contents. The fast path takes no lock, so
 * unlocking does not help it: under PSO the pointer can be visible before the object's contents. Under TSO stores
 * stay in order.
 *
 * All loops have a fixed number of rounds. (The paper unrolls 7 times.)
 */
#include "../fences.h"
#include <stdlib.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ASKS
#define ASKS 2
#endif

struct settings {
  atomic_int first, second;
};

_Atomic(struct settings *) singleton;
pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static struct settings *settings(void) {
  struct settings *found = get(singleton);
  if (found != 0) return found;
  pthread_mutex_lock(&making);
  found = get(singleton);
  if (found == 0) {
    found = malloc(sizeof *found);
    set(found->first, 17);
    set(found->second, 42);
    STORE_STORE();
    set(singleton, found);
  }
  pthread_mutex_unlock(&making);
  return found;
}

static void *ask(void *unused) {
  (void)unused;
  for (int i = 0; i < ASKS; i++) {
    struct settings *s = settings();
    assert(get(s->first) == 17 && get(s->second) == 42);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, ask, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  free(get(singleton));
  return 0;
}

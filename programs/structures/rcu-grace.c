/*
 * Read-copy-update, the half that waits: an old version is freed once no reader can still have it.
 * P. E. McKenney, J. D. Slingwine, Read-copy update, 1998; in user space, with a flag per reader: M. Desnoyers and
 * others, 2012.
 *
 * The reader says that it reads, then takes the pointer; the updater changes the pointer, then waits while a reader
 * reads. That is store buffering: under TSO the updater sees no reader, the reader sees the old version, and it is
 * freed while in use. PSO adds nothing: the reader's last step is a store after loads.
 */
#include "../fences.h"
#include <stdlib.h>

atomic_int reading;
_Atomic(int *) current;

static void reader(void) {
  set(reading, 1);
  STORE_LOAD();
  int *version = get(current);
  assert(*version == 7);
  set(reading, 0);
}

static void *updater(void *next) {
  int *old = get(current);
  set(current, (int *)next);
  STORE_LOAD();
  while (get(reading))
    ;
  free(old);
  return 0;
}

static int *new_version(void) {
  int *version = malloc(sizeof *version);
  *version = 7;
  return version;
}

int main(void) {
  pthread_t thread;
  set(current, new_version());
  pthread_create(&thread, 0, updater, new_version());
  reader();
  pthread_join(thread, 0);
  return 0;
}

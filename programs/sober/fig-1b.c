/*
 * Fig. 1(b): two threads, each stores to one variable and then loads the other's. Under TSO both loads can come first,
 * and both return 0.
 *
 * Harness: the creating thread is one of the two.
 */
#include "../fences.h"
#include <stdint.h>

atomic_int x, y;

static void *second(void *unused) {
  (void)unused;
  STARTED();
  set(y, 1);
  STORE_LOAD();
  return (void *)(intptr_t)get(x);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  set(x, 1);
  STORE_LOAD();
  int mine = get(y);
  void *theirs;
  pthread_join(thread, &theirs);
  assert(mine || (intptr_t)theirs);
  return 0;
}

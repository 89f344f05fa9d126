/*
 * What the published monitor misses: test n6 of x86-TSO. The first thread loads the value of its own store, which is still
 * in its buffer, and then y. SOBER's axioms take this load as proof that the store has reached memory, and everything before it too.
 * So they exclude an execution that TSO has: the load of x returns 1, that of y 0, and x is 1 in the end.
 *
 * Harness: the creating thread is one of the two.
 */
#include "../fences.h"

atomic_int x, y;

static void *second(void *unused) {
  (void)unused;
  set(y, 2);
  STORE_STORE();
  set(x, 2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  set(x, 1);
  STORE_LOAD();
  int own = get(x);
  int other = get(y);
  pthread_join(thread, 0);
  assert(!(own == 1 && other == 0 && get(x) == 1));
  return 0;
}

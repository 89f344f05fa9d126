/*
 * A round that stores, and stores again what was there. Under TSO the last store may wait while the next round's load
 * passes it: the assertion fails there, and holds under SC.
 */
/* one thread polls; the other sees `inside` 1, asks, and then must see it 0 or 2 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n, y;
static void *f(void *p) {
  int r;
  do {
    r = atomic_load(&y);
    atomic_store(&n, 1 + r);
    atomic_store_explicit(&n, 0, memory_order_release);
  } while (!r);
  return p;
}
static void *g(void *p) {
  atomic_store(&y, 1);
  int a = atomic_load(&n), b = atomic_load(&n), c = atomic_load(&n);
  assert(!(a == 1 && b == 0 && c == 1));
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}

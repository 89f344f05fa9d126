#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <assert.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static void trace(const char *fmt, ...) { (void)fmt; }
static _Atomic(int *) box;
static int value = 7, verbose;
static int *pop(void) {
  int *p = atomic_load_explicit(&box, memory_order_acquire);
  if (!p) return 0;
#ifdef TRACE
  if (verbose) trace("got");
#endif
  return p;
}
static void *w(void *u) { PUBLISH(atomic_store_explicit(&box, &value, memory_order_release)); return u; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  int *p; while (!(p = pop())) {}
  assert(*p == 7);
  pthread_join(t, 0);
}

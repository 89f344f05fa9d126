/*
 * A reader that leaves as soon as x is 1.
 * A loop that only reads. Its variable is private (confined) but holds two values in each round (y = 2, then x = 0), and
 * is alive at the end of the loop before a step, so it is not fleeting (docs/decisions/0040).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
atomic_int x, y = 2; int ready, seen;
static void get(atomic_int *p, int *out) { *out = atomic_load(p); }
static void *reader(void *_) {
  int v;
  for (;;) {
    v = atomic_load(&y);
    if (v == 1) break;
    get(&x, &v);
    if (v) break;
  }
#ifndef DEAD
  ready = 1;
#endif
  seen = v;
  return 0;
}
static void *writer(void *_) { PUBLISH(atomic_store(&x, 1)); return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, reader, 0); pthread_create(&q, 0, writer, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  assert(seen == 1);
}

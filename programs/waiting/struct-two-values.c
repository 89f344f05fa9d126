/*
 * A relative of outparam-two-values.c, without an address that leaves the function.
 * The loop only reads, and ends once x is 1.
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
atomic_int x; int ready, seen;

static void *reader(void *_) {
  int v[2];
  do {
    v[0] = -1;                    /* "nothing yet" */
    v[1] = atomic_load(&x);
    if (v[1] >= 0) v[0] = v[1];
  } while (v[0] == 0);
  ready = 1;
  seen = v[0];
  return 0;
}
static void *writer(void *_) { PUBLISH(atomic_store(&x, 1)); return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, reader, 0); pthread_create(&q, 0, writer, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  assert(seen == 1);
}

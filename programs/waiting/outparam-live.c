// A loop that waits with an out-parameter, where the value is used after a later step.
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
static void get(atomic_int *p, int *out) { *out = atomic_load(p); }
static void *reader(void *_) {
  int v;
  do get(&x, &v); while (v == 0);
  ready = 1;       /* a step while v is alive: v is not "fleeting" (decision 40) */
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

/* A round that undoes itself, and a thread that goes on because of what it sees in the middle of it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static atomic_int inside, open_;
static void *visitor(void *a) {
  for (;;) {
    atomic_fetch_add(&inside, 1);
    if (atomic_load(&open_)) break;
    atomic_fetch_sub(&inside, 1);
  }
  return a;
}
static void *porter(void *a) {
  while (atomic_load(&inside) == 0) continue;
  PUBLISH(atomic_store(&open_, 1));
  return a;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, visitor, 0);
  pthread_create(&q, 0, porter, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
#ifdef BAD
  assert(0);
#endif
}

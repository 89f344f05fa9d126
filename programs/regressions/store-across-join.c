/*
 * Joining a thread does not make the joiner's own stores reach memory: main's store of `last` may still be in its buffer when it
 * loads `first`. `sober-fixed` took a join for an interlocked operation, and called this robust.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, last;
static void *idle(void *_) { return _; }
static void *other(void *_) {
  atomic_fetch_add(&first, 1);
  atomic_store_explicit(&last, 2, memory_order_relaxed);
  return _;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, idle, 0);
  pthread_create(&u, 0, other, 0);
  atomic_store_explicit(&last, 1, memory_order_relaxed);
  pthread_join(t, 0);
  int seen = atomic_load_explicit(&first, memory_order_relaxed);
  pthread_join(u, 0);
  assert(seen == 1 || last == 2);
  return 0;
}

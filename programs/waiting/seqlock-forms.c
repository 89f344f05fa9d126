/* A seqlock's reader as people write it, in five forms: FORM=1..5. One writer, one reader. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static atomic_uint seq; static atomic_int a, b;
static void write_pair(int v) {
  unsigned s = atomic_load_explicit(&seq, memory_order_relaxed);
  atomic_store_explicit(&seq, s | 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&a, v, memory_order_relaxed);
  atomic_store_explicit(&b, v, memory_order_relaxed);
  PUBLISH(atomic_store_explicit(&seq, s + 2, memory_order_release));
}
static int get(atomic_int *p) { return atomic_load_explicit(p, memory_order_relaxed); }
static unsigned begin(void) { return atomic_load_explicit(&seq, memory_order_acquire); }
static unsigned again(void) { atomic_thread_fence(memory_order_acquire); return atomic_load_explicit(&seq, memory_order_relaxed); }
static void *reader(void *x) {
  int u, v; unsigned s;
#if FORM == 1
  do { while ((s = begin()) & 1) {} u = get(&a); v = get(&b); } while (again() != s);
#elif FORM == 2
  do { s = begin(); u = get(&a); v = get(&b); } while (again() != s || s & 1);
#elif FORM == 3
  do { s = begin(); u = get(&a); v = get(&b); } while (s & 1 || again() != s);
#elif FORM == 4
retry:
  s = begin();
  if (s & 1) goto retry;
  u = get(&a); v = get(&b);
  if (again() != s) goto retry;
#else
  for (;;) { s = begin(); if (s & 1) continue; u = get(&a); v = get(&b); if (again() == s) break; }
#endif
  assert(u == v);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  for (int i = 1; i <= W; i++) write_pair(i);
  pthread_join(t, 0);
}

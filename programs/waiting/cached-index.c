/* A single-producer ring whose consumer caches the producer's index in a plain field, as most published rings do: polling stores the same value again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static struct { atomic_uint head; unsigned head_seen; atomic_uint tail; unsigned tail_seen; int slot[2]; } q;
static int push(int v) {
  unsigned t = atomic_load_explicit(&q.tail, memory_order_relaxed);
  if (t - q.head_seen == 2) { q.head_seen = atomic_load_explicit(&q.head, memory_order_acquire); if (t - q.head_seen == 2) return 0; }
  q.slot[t % 2] = v;
  PUBLISH(atomic_store_explicit(&q.tail, t + 1, memory_order_release));
  return 1;
}
static int pop(int *v) {
  unsigned h = atomic_load_explicit(&q.head, memory_order_relaxed);
  if (h == q.tail_seen) { q.tail_seen = atomic_load_explicit(&q.tail, memory_order_acquire); if (h == q.tail_seen) return 0; }
  *v = q.slot[h % 2];
  atomic_store_explicit(&q.head, h + 1, memory_order_release);
  return 1;
}
static void *producer(void *a) { for (int i = 1; i <= ITEMS; i++) while (!push(i)) {} return a; }
int main(void) {
  pthread_t t; int v;
  pthread_create(&t, 0, producer, 0);
  for (int i = 1; i <= ITEMS; i++) { while (!pop(&v)) {} assert(v == i); }
  pthread_join(t, 0);
}

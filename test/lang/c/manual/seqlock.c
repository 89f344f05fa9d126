/* expect: correct */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void write_pair(int value) {
  unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&x, value, memory_order_relaxed);
  atomic_store_explicit(&y, -value, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

/* One attempt. */
static int read_pair(int *a, int *b) {
  unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
  *a = atomic_load_explicit(&x, memory_order_relaxed);
  *b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  return before % 2 == 0 && atomic_load_explicit(&sequence, memory_order_relaxed) == before;
}

static void *writer(void *unused) {
  (void)unused;
  write_pair(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  int a, b;
  pthread_create(&thread, NULL, writer, NULL);
  if (read_pair(&a, &b)) assert(a == -b);
  pthread_join(thread, NULL);
  assert(read_pair(&a, &b) && a == 1 && b == -1);
  return 0;
}

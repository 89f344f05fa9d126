/* The flag is stored with release, but loaded relaxed: nothing orders the two accesses to the data. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

static void *writer(void *unused) {
  (void)unused;
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(data == 42);
  pthread_join(thread, 0);
  return 0;
}

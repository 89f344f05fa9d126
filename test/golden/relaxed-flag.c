#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
static void *writer(void *u) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return u;
}
static void *reader(void *u) {
  int seen = atomic_load_explicit(&flag, memory_order_relaxed);
  int value = atomic_load_explicit(&data, memory_order_relaxed);
  assert(!(seen && value == 0));
  return u;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, writer, 0); pthread_create(&b, 0, reader, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }

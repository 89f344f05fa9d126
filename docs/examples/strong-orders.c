/* A message, with seq_cst everywhere. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready, done;

static void *writer(void *unused) {
  (void)unused;
  data = 42;
  atomic_store(&ready, 1);
  atomic_fetch_add(&done, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = atomic_load(&ready);
  if (seen) assert(data == 42);
  atomic_fetch_add(&done, 1);
  pthread_join(thread, 0);
  return 0;
}

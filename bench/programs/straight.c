/* Two threads that load a variable FIRST and SECOND times; the main thread loads it once, after it has created them. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void load(int times) {
  while (times-- > 0) atomic_load_explicit(&x, memory_order_relaxed);
}

static void *first(void *unused) {
  (void)unused;
  load(FIRST);
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  load(SECOND);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  load(1);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}

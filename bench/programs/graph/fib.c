/* Two threads, N rounds each of i += j and j += i, with relaxed loads and stores. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static int get(atomic_int *x) { return atomic_load_explicit(x, memory_order_relaxed); }
static void set(atomic_int *x, int value) { atomic_store_explicit(x, value, memory_order_relaxed); }

static void *first(void *unused) {
  for (int k = 0; k < N; k++) set(&i, get(&i) + get(&j));
  return unused;
}

static void *second(void *unused) {
  for (int k = 0; k < N; k++) set(&j, get(&j) + get(&i));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

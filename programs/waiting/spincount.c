/* an adaptive spin lock as in folly, abseil, SDL, glibc: spin LIM times, then sleep */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static atomic_int l; static int c;
static void lock(void) {
  int spins = 0, zero = 0;
  while (!atomic_compare_exchange_strong_explicit(&l, &zero, 1, memory_order_acquire, memory_order_relaxed)) {
    zero = 0;
    do { if (spins < LIM) spins++; else usleep(500); } while (atomic_load_explicit(&l, memory_order_relaxed));
  }
}
static void *w(void *a) { lock(); c++; PUBLISH(atomic_store_explicit(&l, 0, memory_order_release)); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); assert(c == 2); return 0; }

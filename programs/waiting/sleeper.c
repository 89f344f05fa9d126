/* As folly's MicroSpinLock, and urcu's adaptive wait: an object counts the rounds, and sleeps after so many. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
struct sleeper { unsigned spins; };
static atomic_uchar l; static int c;
static void rest(int milliseconds) { poll(0, 0, milliseconds); }
static void wait(struct sleeper *s) {
  if (s->spins < 4096) s->spins++; else rest(1);
}
static void lock(void) {
  struct sleeper s = {0};
  while (atomic_exchange_explicit(&l, 1, memory_order_acquire)) {
    do wait(&s); while (atomic_load_explicit(&l, memory_order_relaxed));
  }
}
static void *w(void *a) { lock(); c++; PUBLISH(atomic_store_explicit(&l, 0, memory_order_release)); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); assert(c == 2); return 0; }

#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static atomic_int flag;
static int busy(int *attempt) { if (++(*attempt) >= LIM) *attempt = 0; return 0; }
static void *w(void *a) { PUBLISH(atomic_store_explicit(&flag, 1, memory_order_release)); return a; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  int attempt = 0;
  while (!atomic_load_explicit(&flag, memory_order_acquire)) { if ((attempt = (attempt + 1) % LIM, 0)) break; }
  pthread_join(t, 0);
  return 0;
}

/*
 * Two locks taken in opposite orders.
 * E. G. Coffman, M. J. Elphick, A. Shoshani, System deadlocks, 1971.
 *
 * Each thread holds what the other waits for: a deadlock under every model. ORDERED takes them in one order.
 */
#include "../fences.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void with_both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *other(void *unused) {
  (void)unused;
#ifdef ORDERED
  with_both(&a, &b);
#else
  with_both(&b, &a);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  with_both(&a, &b);
  pthread_join(thread, 0);
  return 0;
}

/*
 * A bounded buffer with a condition variable, and a wait that is not in a loop.
 * C. A. R. Hoare, Monitors, 1974, where it would be right; B. W. Lampson, D. D. Redell, Experience with processes and
 * monitors in Mesa, 1980, where it is not.
 *
 * A consumer that is woken must take the lock again. Another consumer may come first and take the only item: the
 * first one then takes an item that is not there, under every model. WHILE checks again.
 */
#include "../fences.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t change = PTHREAD_COND_INITIALIZER;
int items;

static void put(void) {
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
}

static void take(void) {
  pthread_mutex_lock(&lock);
#ifdef WHILE
  while (items == 0) pthread_cond_wait(&change, &lock);
#else
  if (items == 0) pthread_cond_wait(&change, &lock);
#endif
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&lock);
}

static void *consumer(void *unused) {
  (void)unused;
  take();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  put();
  put();
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

/*
 * A lock that is released by a thread that does not hold it: the error path unlocks what the entry path may
 * not have locked.
 *
 * Both threads try the lock. The one that fails to get it unlocks it all the same, under every model. CAREFUL unlocks
 * only what was locked.
 */
#include "../fences.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void try_to_count(void) {
  int failed = pthread_mutex_trylock(&lock);
  if (!failed) counter++;
#ifdef CAREFUL
  if (failed) return;
#endif
  pthread_mutex_unlock(&lock);
}

static void *second(void *unused) {
  (void)unused;
  try_to_count();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  try_to_count();
  pthread_join(thread, 0);
  return 0;
}

/*
 * Harness of the two sets (RELAXER Sect. 5.2): insert 3 and 7; then in three threads at once: (1) inserts -1 and
 * removes 2; (2) removes 3, inserts 1 and looks for 7; (3) looks for 3 and inserts -5. Each set has
 * `insert`, `erase` and `contains`, which return whether the key was absent (`insert`) or present.
 * With -D TWO_THREADS the third thread is left out.
 */
#include <stdint.h>

#ifdef TWO_THREADS
#define THREADS 2
#else
#define THREADS 3
#endif

static void *first(void *unused) {
  (void)unused;
  int inserted = insert(-1);
  int removed = erase(2);
  assert(inserted && !removed);
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  int removed = erase(3);
  int inserted = insert(1);
  int found = contains(7);
  assert(removed && inserted && found);
  return 0;
}

#ifndef TWO_THREADS
static void *third(void *unused) {
  (void)unused;
  contains(3);
  int inserted = insert(-5);
  assert(inserted);
  return 0;
}
#endif

int main(void) {
  insert(3);
  insert(7);
  pthread_t threads[THREADS];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
#ifndef TWO_THREADS
  pthread_create(&threads[2], 0, third, 0);
#endif
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
#ifndef TWO_THREADS
  assert(contains(-5));
#endif
  assert(contains(-1) && contains(1) && !contains(3) && contains(7));
  return 0;
}

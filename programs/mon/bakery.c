/*
 * Lamport's bakery: the algorithm is that of ../mutual-exclusion.
 *
 * Harness: two threads with three critical sections each (RELAXER Sect. 5.2).
 */
#define OWN_HARNESS
#include "../mutual-exclusion/bakery.c"

enum { ROUNDS = 3 };

static void *enter_often(void *me) {
  for (int i = 0; i < ROUNDS; i++) enter_and_leave(me != 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, enter_often, 0);
  pthread_create(&threads[1], 0, enter_often, &threads[1]);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(counter == WORKED(2 * ROUNDS));
  return 0;
}

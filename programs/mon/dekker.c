/*
 * Dekker's algorithm, written out for each of the two threads as in RELAXER's Fig. 11, so that each of its 20 lines is
 * a place of its own.
 *
 * Under TSO the load of the other's flag can run before the own store reaches memory, and both enter. Under PSO the
 * lowered flag can also overtake what was written before it; with all the fences, SC allows every execution.
 *
 * Harness: two threads with three critical sections each (RELAXER Sect. 5.2), or ROUNDS of them. With -D INSIDE a critical
 * section asserts that nobody else is in one, instead of counting.
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

atomic_int flag0, flag1, turn;
int counter;

#ifdef INSIDE
static int inside;
#undef WORK
#undef WORKED
#define WORK() (assert(!inside), inside = 1, inside = 0)
#define WORKED(times) 0
#endif

static void first_enters(void) {
  set(flag0, 1);
  STORE_LOAD();
  while (get(flag1)) {
    if (get(turn)) {
      set(flag0, 0);
      STORE_LOAD();
      while (get(turn))
        YIELDED();
      set(flag0, 1);
      STORE_LOAD();
    } else YIELDED();
  }
  WORK();
  set(turn, 1);
  STORE_STORE();
  set(flag0, 0);
}

static void second_enters(void) {
  set(flag1, 1);
  STORE_LOAD();
  while (get(flag0)) {
    if (!get(turn)) {
      set(flag1, 0);
      STORE_LOAD();
      while (!get(turn))
        YIELDED();
      set(flag1, 1);
      STORE_LOAD();
    } else YIELDED();
  }
  WORK();
  set(turn, 0);
  STORE_STORE();
  set(flag1, 0);
}

static void *first(void *unused) {
  (void)unused;
  STARTED();
  for (int i = 0; i < ROUNDS; i++) first_enters();
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  STARTED();
  for (int i = 0; i < ROUNDS; i++) second_enters();
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(counter == WORKED(2 * ROUNDS));
  return 0;
}

/*
 * Variants of Lamport's bakery, to find what the interleavings in MON's Tables 1 and 2 depend on (bench/open-cells.ts).
 * Two threads with three critical sections each, as in programs/mon/bakery.c.
 *
 *   OTHER    a thread looks only at the other one, instead of at every thread including itself
 *   MAX      how the largest number is found:
 *            0 the other's number, 1 both numbers once, 2 a loop that loads a larger number again, 3 a macro that does so
 *   COMPARE  how numbers are compared: 0 the other's, loaded once, with a copy of the own one; 1 both loaded for each comparison
 *   INSIDE   accesses in the critical section: 0 none, 1 a load, 2 a load and a store, 3 a load, a store and a load
 */
#include "../../programs/fences.h"

atomic_int choosing[2], number[2], inside;

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static int largest(int me) {
  (void)me;
#if MAX == 0
  return get(number[1 - me]);
#elif MAX == 1
  int first = get(number[0]), second = get(number[1]);
  return LARGER(first, second);
#elif MAX == 2
  int max = 0;
  for (int i = 0; i < 2; i++)
    if (get(number[i]) > max) max = get(number[i]);
  return max;
#else
  return LARGER(get(number[0]), get(number[1]));
#endif
}

static void wait_for(int thread, int me, int mine) {
  (void)mine;
  while (get(choosing[thread])) YIELDED();
#if COMPARE == 0
  int theirs;
  while ((theirs = get(number[thread])) != 0 && (theirs < mine || (theirs == mine && thread < me))) YIELDED();
#else
  while (get(number[thread]) != 0 &&
         (get(number[thread]) < get(number[me]) || (get(number[thread]) == get(number[me]) && thread < me)))
    YIELDED();
#endif
}

static void enter_and_leave(int me) {
  set(choosing[me], 1);
  int mine = largest(me) + 1;
  set(number[me], mine);
  set(choosing[me], 0);
#ifdef OTHER
  wait_for(1 - me, me, mine);
#else
  wait_for(0, me, mine);
  wait_for(1, me, mine);
#endif
#if INSIDE >= 1
  int value = get(inside);
  (void)value;
#endif
#if INSIDE >= 2
  set(inside, value + 1);
#endif
#if INSIDE >= 3
  (void)get(inside);
#endif
  set(number[me], 0);
}

static void *first(void *unused) {
  (void)unused;
  STARTED();
  for (int i = 0; i < 3; i++) enter_and_leave(0);
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  STARTED();
  for (int i = 0; i < 3; i++) enter_and_leave(1);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

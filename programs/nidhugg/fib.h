/*
 * Two threads, ROUNDS rounds each of i += j and j += i: the largest number that either can reach is a Fibonacci number,
 * and it is reached only if the threads take turns. Shared by the four benchmarks fib_*.c, which differ in the bound
 * that they assert, and in whether main waits for the threads before it checks.
 *
 * The addition is a load of each variable and a store; none of it is atomic.
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 5
#endif

atomic_int i = 1, j = 1;

/* The (2 * ROUNDS + 2)-th Fibonacci number. */
static int largest(void) {
  int a = 1, b = 1;
  for (int round = 0; round < ROUNDS; round++) {
    a += b;
    b += a;
  }
  return b;
}

static void *add_to_i(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) set(i, get(i) + get(j));
  return 0;
}

static void *add_to_j(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) set(j, get(j) + get(i));
  return 0;
}

/* Neither variable is larger than `bound`, or has become so by now. */
static void start_and_look(int waits, int bound) {
  pthread_t first, second;
  pthread_create(&first, 0, add_to_i, 0);
  pthread_create(&second, 0, add_to_j, 0);
  if (waits) {
    pthread_join(first, 0);
    pthread_join(second, 0);
  }
  assert(get(i) <= bound);
  assert(get(j) <= bound);
}

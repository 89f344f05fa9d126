/*
 * Fibonacci by two threads: main waits for both, then checks;
 * the bound is the number that they can reach: no execution exceeds it. The same under all models.
 * [NIDHUGG] Table 1, fib_true_join.c. Loops have a fixed number of rounds.
 */
#include "fib.h"

int main(void) {
  start_and_look(1, largest());
  return 0;
}

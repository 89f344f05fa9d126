/*
 * Fibonacci by two threads: main waits for both, then checks;
 * the bound is one less than the number that they can reach, and one order of the rounds exceeds it, under all models.
 * [NIDHUGG] Table 1, fib_false_join.c. Loops have a fixed number of rounds.
 */
#include "fib.h"

int main(void) {
  start_and_look(1, largest() - 1);
  return 0;
}

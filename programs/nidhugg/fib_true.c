/*
 * Fibonacci by two threads: main checks while they run;
 * the bound is the number that they can reach: no execution exceeds it. The same under all models.
 * [NIDHUGG] Table 1, fib_true.c. Loops have a fixed number of rounds.
 */
#include "fib.h"

int main(void) {
  start_and_look(0, largest());
  return 0;
}

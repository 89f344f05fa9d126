/*
 * A stack under a mutex; the popping thread first checks whether it is empty. No access races with another, so
 * all models have the same executions. [NIDHUGG] Table 1, stack_safe.c. Loops have a fixed number of rounds.
 */
#include "stack.h"

int main(void) {
  run(&top);
  return 0;
}

/*
 * A stack under a mutex; the popping thread does not check whether it is empty, and if it runs ahead it
 * pops from an empty stack, under every model. [NIDHUGG] Table 1, stack_unsafe.c. Loops have a fixed number of rounds.
 */
#include "stack.h"

int main(void) {
  run(0);
  return 0;
}

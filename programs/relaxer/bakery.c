/* bakery: Lamport's algorithm without any fence. Two threads enter their critical sections three times each. */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

volatile int choosing[2], number[2];
int counter;

static void enter_and_leave(int me) {
  int other = 1 - me;
  choosing[me] = 1;
  int mine = number[other] + 1;
  number[me] = mine;
  choosing[me] = 0;
  while (choosing[other])
    ;
  int theirs;
  while ((theirs = number[other]) != 0 && (theirs < mine || (theirs == mine && other < me)))
    ;
  counter++;
  number[me] = 0;
}

static void *first(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) enter_and_leave(0);
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) enter_and_leave(1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2 * ROUNDS);
  return 0;
}

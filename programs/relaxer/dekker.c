/*
 * dekker: Fig. 11 of the paper, its lines numbered as there. Two threads enter their critical sections ROUNDS times
 * (three in the paper).
 *
 * Without FENCED the loads of lines 2 and 12 can run before the stores of lines 1, 7, 11 and 17 reach memory, and both
 * threads enter. With FENCED it is correct under TSO; the cycle of Fig. 12 (lines 14, 15, 9, 2) remains, and is
 * harmless.
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

volatile int flag0, flag1, turn;
int counter;

static void *thread0(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    flag0 = 1; /* 1 */
    FENCE();
    while (flag1) /* 2 */
      if (turn) { /* 3 */
        flag0 = 0; /* 4 */
        while (turn) /* 5 */
          ;
        flag0 = 1; /* 7 */
        FENCE();
      }
    counter++;
    turn = 1;  /* 9 */
    flag0 = 0; /* 10 */
  }
  return 0;
}

static void *thread1(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    flag1 = 1; /* 11 */
    FENCE();
    while (flag0) /* 12 */
      if (!turn) { /* 13 */
        flag1 = 0; /* 14 */
        while (!turn) /* 15 */
          ;
        flag1 = 1; /* 17 */
        FENCE();
      }
    counter++;
    turn = 0;  /* 19 */
    flag1 = 0; /* 20 */
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread0, 0);
  pthread_create(&second, 0, thread1, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2 * ROUNDS);
  return 0;
}

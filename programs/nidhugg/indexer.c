/*
 * A hash table that THREADS threads write MESSAGES messages each to, by compare-exchange. [NIDHUGG] Table 1, indexer.c;
 * after C. Flanagan, P. Godefroid, 2005.
 *
 * Whether two threads collide in a slot depends only on the hash, which no static analysis sees. With 12 threads there
 * are three slots where two of them collide: eight traces. It is correct under every model: a compare-exchange is never
 * in a buffer, and each thread finds its messages where it put them.
 *
 * A thread moves to the next slot when one is taken, at most SLOTS times. (The paper unrolls 5 times.)
 */
#include "../fences.h"

#ifndef THREADS
#define THREADS 12
#endif

enum { SLOTS = 128, MESSAGES = 4 };

atomic_int table[SLOTS];

static int insert(int message) {
  int slot = message * 7 % SLOTS;
  for (int tries = 0; tries < SLOTS; tries++) {
    int empty = 0;
    if (replace(table[slot], empty, message)) return slot;
    slot = (slot + 1) % SLOTS;
  }
  assert(!"the table is full");
  return -1;
}

static void *run(void *argument) {
  int id = (int)(long)argument;
  for (int m = 1; m <= MESSAGES; m++) {
    int message = m * 11 + id;
    int slot = insert(message);
    assert(get(table[slot]) == message);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}

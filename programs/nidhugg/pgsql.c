/*
 * Two processes of a database server hand a token back and forth: a flag says who has it, a latch wakes the sleeper.
 * [NIDHUGG] Table 1, pgsql.c; the error: PostgreSQL developers' list, 2011, and J. Alglave and others, 2013.
 *
 * A woken process must have the token. Giving is two stores, flag and latch: under TSO they stay in order, under PSO
 * the latch can come first.
 *
 * The loop waits and writes nothing: no bound is needed, and each has the token ROUNDS times. (The paper unrolls 8
 * times.) pgsql_bnd.c has the loop that counts instead.
 */
#include "../fences.h"

#ifndef ROUNDS
#define ROUNDS 4
#endif

atomic_int latch[2] = {1, 0};
atomic_int token[2] = {1, 0};

#ifdef TRIES
/* Checks at most TRIES times; every check is another state of this function, so the loop does not only wait. */
static int sleep_until_woken(int me) {
  for (int tries = 0; tries < TRIES; tries++)
    if (get(latch[me])) return 1;
  return 0;
}
#else
static int sleep_until_woken(int me) {
  while (!get(latch[me]))
    ;
  return 1;
}
#endif

static void *serve(void *argument) {
  int me = argument != 0, other = 1 - me;
  for (int round = 0; round < ROUNDS; round++) {
    if (!sleep_until_woken(me)) return 0;
    set(latch[me], 0);
    assert(get(token[me]));
    set(token[me], 0);
    set(token[other], 1);
    STORE_STORE();
    set(latch[other], 1);
  }
  return 0;
}

int main(void) {
  pthread_t processes[2];
  pthread_create(&processes[0], 0, serve, 0);
  pthread_create(&processes[1], 0, serve, &latch);
  pthread_join(processes[0], 0);
  pthread_join(processes[1], 0);
  return 0;
}

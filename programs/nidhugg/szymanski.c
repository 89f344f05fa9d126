/*
 * Szymanski's mutual exclusion, as a benchmark: two threads, a waiting room, one variable of five values per thread.
 * [NIDHUGG] Table 1, szymanski.c.
 *
 * The first two values of a thread's variable must be in memory before it reads the other's; under TSO they need not
 * be, and both threads enter. All stores of the entry go to one location, so PSO adds only that the exit can overtake
 * what was written inside.
 *
 * The loops wait and write nothing: no bound is needed.
 */
#include "../fences.h"

enum { AWAY, COMING, IN_ROOM, AT_DOOR, DOOR_SHUT };

atomic_int place[2];
atomic_int inside;

static void *run(void *argument) {
  int me = argument != 0, other = 1 - me;
  set(place[me], COMING);
  STORE_LOAD();
  while (get(place[other]) >= AT_DOOR)
    ;
  set(place[me], AT_DOOR);
  STORE_LOAD();
  if (get(place[other]) == COMING) {
    set(place[me], IN_ROOM);
    while (get(place[other]) != DOOR_SHUT)
      ;
  }
  set(place[me], DOOR_SHUT);
  if (me == 1)
    while (get(place[0]) >= IN_ROOM)
      ;
  set(inside, me + 1);
  assert(get(inside) == me + 1);
  if (me == 0)
    for (;;) {
      int theirs = get(place[1]);
      if (theirs != IN_ROOM && theirs != AT_DOOR) break;
    }
  STORE_STORE();
  set(place[me], AWAY);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, run, 0);
  pthread_create(&threads[1], 0, run, &inside);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

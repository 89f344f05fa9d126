/*
 * The filter lock: Peterson's algorithm for three threads, with two levels, each of which holds one thread back.
 * G. L. Peterson, Myths about the mutual exclusion problem, 1981; the name is from Herlihy and Shavit.
 *
 * At each level: announce yourself, make yourself the victim, and wait while another is at this level or above
 * and you are the victim. Under TSO the loads of the waiting loop can run before the thread's own level is visible to
 * others, and two threads enter. Under PSO the victim can also overtake the level, and the exit what was written
 * inside.
 */
#include "../fences.h"

enum { THREADS = 3 };

atomic_int level[THREADS];
atomic_int victim[THREADS];
int counter;

static int somebody_at(int l, int me) {
  for (int k = 0; k < THREADS; k++)
    if (k != me && get(level[k]) >= l) return 1;
  return 0;
}

static void enter_and_leave(int me) {
  for (int l = 1; l < THREADS; l++) {
    set(level[me], l);
    STORE_STORE();
    set(victim[l], me);
    STORE_LOAD();
    while (somebody_at(l, me) && get(victim[l]) == me)
      ;
  }
  counter++;
  STORE_STORE();
  set(level[me], 0);
}

static void *second(void *unused) {
  (void)unused;
  enter_and_leave(1);
  return 0;
}

static void *third(void *unused) {
  (void)unused;
  enter_and_leave(2);
  return 0;
}

int main(void) {
  pthread_t b, c;
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  enter_and_leave(0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(counter == THREADS);
  return 0;
}

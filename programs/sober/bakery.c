/*
 * Lamport's bakery for two threads, as in mutual-exclusion/bakery.c: two stores are followed by loads of what the other
 * stores.
 *
 * Harness: two threads, one of them the creating one, with three critical sections: two in the creating thread, one in
 * the other. With -D EACH the algorithm is written for any number of threads: a thread looks at the number of each one,
 * its own included. With -D AGAIN it then loads its own number again for every comparison.
 */
#define OWN_HARNESS
#ifdef EACH
#define enter_and_leave enter_and_leave_of_two
#endif
#include "../mutual-exclusion/bakery.c"
#ifdef EACH
#undef enter_and_leave

static int larger(int a, int b) { return a > b ? a : b; }

#ifdef AGAIN
static int precedes(int number, int thread, int other, int me) {
  return number < other || (number == other && thread < me);
}
#define PRECEDES(thread) precedes(get(number[thread]), thread, get(number[me]), me)
#else
#define PRECEDES(thread) (get(number[thread]) < mine || (get(number[thread]) == mine && thread < me))
#endif

static void wait_for(int thread, int me, int mine) {
  (void)mine;
  while (get(choosing[thread]))
    YIELDED();
  while (get(number[thread]) != 0 && PRECEDES(thread))
    YIELDED();
}

static void enter_and_leave(int me) {
  set(choosing[me], 1);
  STORE_LOAD();
  int mine = 1 + larger(get(number[0]), get(number[1]));
  set(number[me], mine);
  STORE_STORE();
  set(choosing[me], 0);
  STORE_LOAD();
  wait_for(0, me, mine);
  wait_for(1, me, mine);
  WORK();
  STORE_STORE();
  set(number[me], 0);
}
#endif

static void *second(void *unused) {
  (void)unused;
  STARTED();
  enter_and_leave(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  enter_and_leave(0);
  enter_and_leave(0);
  pthread_join(thread, 0);
  assert(counter == WORKED(3));
  return 0;
}

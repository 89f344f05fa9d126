/*
 * Lamport's bakery for two threads, as in mutual-exclusion/bakery.c: two stores are followed by loads of what the other
 * stores.
 *
 * Harness: two threads, one of them the creating one, with three critical sections: two in the creating thread, one in
 * the other.
 */
#define OWN_HARNESS
#include "../mutual-exclusion/bakery.c"

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

/*
 * Sleeping as in the Linux kernel: set the own state to "sleeping", check the condition, and give up the
 * processor only if it does not hold; a thread that makes it hold sets the state back.
 * After Documentation/memory-barriers.txt (set_current_state, wake_up), D. Howells, P. E. McKenney, 2006.
 *
 * The waker sets the state only if it finds the thread asleep. Under TSO the sleeper can read the condition while
 * its state still waits in the buffer, and the waker the state while the condition does: the thread sleeps
 * forever. PSO adds nothing. The scheduler is a loop that waits for the state to change.
 */
#include "../fences.h"

enum { RUNNING, SLEEPING };

atomic_int state = RUNNING;
atomic_int condition;

static void *sleeper(void *unused) {
  (void)unused;
  set(state, SLEEPING);
  STORE_LOAD();
  if (get(condition)) return 0;
  while (get(state) == SLEEPING)
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sleeper, 0);
  set(condition, 1);
  STORE_LOAD();
  if (get(state) == SLEEPING) set(state, RUNNING);
  pthread_join(thread, 0);
  return 0;
}

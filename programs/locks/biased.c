/*
 * A biased lock: its owner takes it with loads and stores alone; other threads revoke the bias first.
 * After K. Kawachiya, A. Koseki, T. Onodera, Lock reservation, 2002.
 *
 * The owner announces that it is inside and then looks for a revocation; the other revokes and then checks whether the
 * owner is inside. That is store buffering: under TSO neither sees the other, and both are inside. Under PSO the
 * owner's exit can also overtake what it wrote.
 */
#include "../fences.h"

atomic_int owner_inside, revoked;
pthread_mutex_t slow = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void owner(void) {
  set(owner_inside, 1);
  STORE_LOAD();
  if (!get(revoked)) {
    counter++;
    STORE_STORE();
    set(owner_inside, 0);
    return;
  }
  set(owner_inside, 0);
  pthread_mutex_lock(&slow);
  counter++;
  pthread_mutex_unlock(&slow);
}

static void *other(void *unused) {
  (void)unused;
  pthread_mutex_lock(&slow);
  set(revoked, 1);
  STORE_LOAD();
  while (get(owner_inside))
    ;
  counter++;
  pthread_mutex_unlock(&slow);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  owner();
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}

/*
 * A work-stealing queue: its owner pushes and takes at the tail without a lock as long as that is far from the head,
 * a thief steals at the head with the lock. After the THE protocol of Cilk-5 (M. Frigo, C. E. Leiserson, K. H. Randall,
 * The implementation of the Cilk-5 multithreaded language, 1998) in the form that .NET's libraries gave it, where the
 * owner first checks whether there is anything, and a task that is gone is overwritten.
 *
 * The owner lowers the tail and then looks at the head; the thief raises the head and then looks at the tail. Under TSO
 * both can look too early, and a task is done twice. Under PSO the tail can also be raised before the task is in its
 * slot; with all the fences SC allows every execution. (The one at the end of push is for that alone: what the
 * owner does next could come before the raised tail, harmlessly.)
 *
 * Harness: six operations. The owner, the creating thread, pushes two tasks and takes twice; the thief steals twice.
 * With -D SEPARATE the owner is a thread of its own, and the creating thread only waits for both.
 */
#include "../fences.h"
#include <stdint.h>

enum { NONE = 0, SIZE = 2 };

atomic_int head, tail;
atomic_int tasks[SIZE];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int task) {
  int t = get(tail);
  set(tasks[t], task);
  STORE_STORE();
  set(tail, t + 1);
  STORE_LOAD();
}

static int remove_at(int index) {
  int task = get(tasks[index]);
  set(tasks[index], NONE);
  return task;
}

static int take(void) {
  int t = get(tail);
  if (get(head) >= t) return NONE;
  t--;
  set(tail, t);
  STORE_LOAD();
  if (get(head) <= t) return remove_at(t);
  // A thief may have the last one.
  int task = NONE;
  pthread_mutex_lock(&lock);
  if (get(head) <= t)
    task = remove_at(t);
  else
    set(tail, t + 1);
  pthread_mutex_unlock(&lock);
  return task;
}

static int steal(void) {
  int task = NONE;
  pthread_mutex_lock(&lock);
  int h = get(head);
  set(head, h + 1);
  STORE_LOAD();
  if (h < get(tail))
    task = remove_at(h);
  else
    set(head, h);
  pthread_mutex_unlock(&lock);
  return task;
}

/* The tasks that were done, as bits. */
static int done(int before, int task) {
  assert(task == NONE || (before & (1 << task)) == 0);
  return before | (1 << task);
}

static void *thief(void *unused) {
  (void)unused;
  STARTED();
  int mine = done(0, steal());
  mine = done(mine, steal());
  return (void *)(intptr_t)mine;
}

static int own(void) {
  push(1);
  push(2);
  int mine = done(0, take());
  return done(mine, take());
}

#ifdef SEPARATE
static void *owner(void *unused) {
  (void)unused;
  STARTED();
  return (void *)(intptr_t)own();
}
#endif

int main(void) {
  pthread_t thread;
#ifdef SEPARATE
  pthread_t first;
  pthread_create(&first, 0, owner, 0);
#endif
  pthread_create(&thread, 0, thief, 0);
#ifdef SEPARATE
  void *owned;
  pthread_join(first, &owned);
  int mine = (int)(intptr_t)owned;
#else
  int mine = own();
#endif
  void *result;
  pthread_join(thread, &result);
  int both = mine & (int)(intptr_t)result;
  assert((both & ~(1 << NONE)) == 0);
  return 0;
}

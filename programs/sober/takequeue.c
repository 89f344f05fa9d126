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
 * With -D SEPARATE the owner is a thread of its own, and the creating thread only waits for both. For experiments:
 *
 *   OWNER, THIEF   other operations: PUSH(task), TAKE, STEAL
 *   FILLED         the creating thread pushes both tasks before the others start
 *   LOOK           the thief first looks whether there is a task, without the lock
 *   BLIND          the owner does not
 *   KEPT           a task that is gone is not overwritten
 *   HIDDEN         the slots are not shared: task n is in slot n - 1 and stays there
 */
#include "../fences.h"
#include <stdint.h>

enum { NONE = 0, SIZE = 4 };

atomic_int head, tail;
#ifndef HIDDEN
atomic_int tasks[SIZE];
#endif
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int task) {
  int t = get(tail);
#ifdef HIDDEN
  assert(task == t + 1);
#else
  set(tasks[t], task);
#endif
  STORE_STORE();
  set(tail, t + 1);
  STORE_LOAD();
}

static int remove_at(int index) {
#ifdef HIDDEN
  return index + 1;
#else
  int task = get(tasks[index]);
#ifndef KEPT
  set(tasks[index], NONE);
#endif
  return task;
#endif
}

static int take(void) {
  int t = get(tail);
#ifndef BLIND
  if (get(head) >= t) return NONE;
#endif
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
#ifdef LOOK
  if (get(head) >= get(tail)) return NONE;
#endif
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

#define PUSH(task) push(task);
#ifdef FILLED
#define PUSHES
#else
#define PUSHES PUSH(1) PUSH(2)
#endif
#define TAKE mine = done(mine, take());
#define STEAL mine = done(mine, steal());
#ifndef OWNER
#define OWNER PUSHES TAKE TAKE
#endif
#ifndef THIEF
#define THIEF STEAL STEAL
#endif

static void *thief(void *unused) {
  (void)unused;
  STARTED();
  int mine = 0;
  THIEF
  return (void *)(intptr_t)mine;
}

static int own(void) {
  int mine = 0;
  OWNER
  return mine;
}

#ifdef SEPARATE
static void *owner(void *unused) {
  (void)unused;
  STARTED();
  return (void *)(intptr_t)own();
}
#endif

int main(void) {
#ifdef FILLED
  push(1);
  push(2);
#endif
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

/*
 * The work-stealing protocol of Cilk-5, called THE after its variables: tail, head, and an exception that is left out
 * here.
 * M. Frigo, C. E. Leiserson, K. H. Randall, The implementation of the Cilk-5 multithreaded language, 1998.
 *
 * The worker lowers the tail and then reads the head; a thief raises the head and then reads the tail. The one that
 * finds that they have crossed backs off; only then does the worker take the lock. Under TSO both can look too
 * early, and a task is done twice. Under PSO a push can also raise the tail before the task is in its slot.
 */
#include "../fences.h"
#include <stdint.h>

atomic_int head, tail;
atomic_int tasks[1];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int task) {
  int t = get(tail);
  set(tasks[t], task);
  STORE_STORE();
  set(tail, t + 1);
}

static int pop(void) {
  int t = get(tail) - 1;
  set(tail, t);
  STORE_LOAD();
  if (get(head) > t) {
    set(tail, t + 1);
    pthread_mutex_lock(&lock);
    set(tail, t);
    if (get(head) > t) {
      set(tail, t + 1);
      pthread_mutex_unlock(&lock);
      return 0;
    }
    pthread_mutex_unlock(&lock);
  }
  return get(tasks[t]);
}

static int steal(void) {
  int task = 0;
  pthread_mutex_lock(&lock);
  int h = get(head);
  set(head, h + 1);
  STORE_LOAD();
  if (h + 1 > get(tail)) {
    set(head, h);
  } else {
    task = get(tasks[h]);
    assert(task != 0);
  }
  pthread_mutex_unlock(&lock);
  return task;
}

static void *thief(void *unused) {
  (void)unused;
  return (void *)(intptr_t)steal();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, thief, 0);
  push(1);
  int mine = pop();
  void *result;
  pthread_join(thread, &result);
  assert(mine + (int)(intptr_t)result == 1);
  return 0;
}

/*
 * The work-stealing deque of Chase and Lev: its owner pushes and takes at the bottom, others steal at the top.
 * D. Chase, Y. Lev, Dynamic circular work-stealing deque, 2005.
 *
 * To take, the owner lowers the bottom and then looks at the top. Under TSO it can look before the others see the
 * lower bottom: they steal up to where it used to be, and a task is done twice. Under PSO a push can also raise the
 * bottom before the task is in its slot, and a thief gets nothing.
 */
#include "../fences.h"

atomic_int top, bottom;
atomic_int tasks[2];
atomic_int done[3];

static void push(int task) {
  int b = get(bottom);
  set(tasks[b], task);
  STORE_STORE();
  set(bottom, b + 1);
}

static int take(void) {
  int b = get(bottom) - 1;
  set(bottom, b);
  STORE_LOAD();
  int t = get(top);
  if (t < b) return get(tasks[b]);
  int task = 0;
  if (t == b) {
    task = get(tasks[b]);
    if (!replace(top, t, t + 1)) task = 0;
  }
  set(bottom, b + 1);
  return task;
}

static int steal(void) {
  int t = get(top);
  if (t >= get(bottom)) return 0;
  int task = get(tasks[t]);
  assert(task != 0);
  return replace(top, t, t + 1) ? task : 0;
}

static void run(int task) {
  if (task != 0) assert(add(done[task], 1) == 0);
}

static void *thief(void *unused) {
  (void)unused;
  run(steal());
  run(steal());
  return 0;
}

int main(void) {
  pthread_t thread;
  push(1);
  pthread_create(&thread, 0, thief, 0);
  push(2);
  run(take());
  pthread_join(thread, 0);
  return 0;
}

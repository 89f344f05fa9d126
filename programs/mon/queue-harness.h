/*
 * Harness of the two queues (RELAXER Sect. 5.2): one thread does two enqueues, two dequeues and an enqueue; the other
 * two dequeues, two enqueues and a dequeue. No value may be dequeued twice, or without having been
 * enqueued. Each queue has `enqueue`, and `dequeue`, which returns EMPTY or a value.
 */
#include <stdint.h>

enum { VALUES = 5 };

/* The values that were dequeued, as bits. */
static int dequeued(int before) {
  int value = dequeue();
  if (value == EMPTY) return before;
  assert(value >= 1 && value <= VALUES && (before & (1 << value)) == 0);
  return before | (1 << value);
}

static void *first(void *unused) {
  (void)unused;
  enqueue(3);
  enqueue(4);
  int mine = dequeued(dequeued(0));
  enqueue(5);
  return (void *)(intptr_t)mine;
}

static void *second(void *unused) {
  (void)unused;
  int mine = dequeued(dequeued(0));
  enqueue(1);
  enqueue(2);
  return (void *)(intptr_t)dequeued(mine);
}

int main(void) {
  pthread_t threads[2];
  void *results[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], &results[0]);
  pthread_join(threads[1], &results[1]);
  assert(((intptr_t)results[0] & (intptr_t)results[1]) == 0);
  return 0;
}

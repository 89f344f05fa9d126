/*
 * The paper's harness for queues: one thread enqueues twice, dequeues twice and enqueues once more, while another
 * dequeues twice, enqueues twice and dequeues once more. SMALL: one enqueues, the other dequeues.
 */
#ifndef RELAXER_QUEUE_H
#define RELAXER_QUEUE_H

#include "../fences.h"
#include <fencepost.h>

static void enqueue(int value);
enum { NOT_FOUND = -1 };
/* NOT_FOUND if the queue is empty. A node that is seen before its contents contains 0. */
static int dequeue(void);

static void marked_enqueue(int value) {
  fencepost_op_begin("enqueue", value);
  enqueue(value);
  fencepost_op_end(0);
}

static void marked_dequeue(void) {
  fencepost_op_begin("dequeue", 0);
  fencepost_op_end(dequeue());
}

static void *first(void *unused) {
  (void)unused;
  marked_enqueue(1);
#ifndef SMALL
  marked_enqueue(2);
  marked_dequeue();
  marked_dequeue();
  marked_enqueue(3);
#endif
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  marked_dequeue();
#ifndef SMALL
  marked_dequeue();
  marked_enqueue(4);
  marked_enqueue(5);
  marked_dequeue();
#endif
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

#endif

/*
 * The lock-free queue of Michael and Scott.
 * M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and blocking concurrent queue algorithms,
 * 1996.
 *
 * A new node is linked after the last one with a compare-exchange, then the tail is moved to it by whichever thread is
 * first. Under TSO the compare-exchange drains the store buffer; a relaxed one under PSO does not, and another thread
 * can take a value that is still in the buffer. With RECLAIM nodes that have left the queue are freed at once: a thread
 * that is delayed may still have one of them as the tail it saw, under every model.
 */
#include "../fences.h"
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  int value;
};

_Atomic(struct node *) head, tail;

static void enqueue(int value) {
  struct node *node = calloc(1, sizeof *node);
  for (;;) {
    struct node *last = get(tail), *next = get(last->next);
    if (next == 0) {
      node->value = value;
      STORE_STORE();
      if (!replace(last->next, next, node)) continue;
      replace(tail, last, node);
      return;
    }
    replace(tail, last, next);
  }
}

/* Waits until the queue is not empty. */
static int dequeue(void) {
  for (;;) {
    struct node *first = get(head), *last = get(tail), *next = get(first->next);
    if (first == last) {
      if (next != 0) replace(tail, last, next);
      continue;
    }
    int value = next->value;
    if (!replace(head, first, next)) continue;
#ifdef RECLAIM
    free(first);
#endif
    return value;
  }
}

static void *second(void *unused) {
  (void)unused;
  enqueue(2);
  return 0;
}

int main(void) {
  struct node *dummy = calloc(1, sizeof *dummy);
  set(head, dummy);
  set(tail, dummy);
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  enqueue(1);
  int a = dequeue(), b = dequeue();
  assert(a + b == 3 && a * b == 2);
  pthread_join(thread, 0);
  return 0;
}

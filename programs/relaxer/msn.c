/*
 * msn: the non-blocking queue.
 * M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and blocking concurrent queue algorithms, 1996.
 *
 * Under PSO the compare-exchange that links a node can overtake what was stored in it.
 */
#include "queue.h"
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};

static struct node dummy;
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node), *last;
  set(node->value, value);
  set(node->next, 0);
  for (;;) {
    last = get(tail);
    struct node *next = get(last->next);
    if (last != get(tail)) continue;
    if (next == 0) {
      if (replace(last->next, next, node)) break;
    } else {
      struct node *expected = last;
      replace(tail, expected, next);
    }
  }
  replace(tail, last, node);
}

static int dequeue(void) {
  for (;;) {
    struct node *first = get(head), *last = get(tail), *next = get(first->next);
    if (first != get(head)) continue;
    if (first == last) {
      if (next == 0) return NOT_FOUND;
      replace(tail, last, next);
    } else {
      int value = get(next->value);
      if (replace(head, first, next)) return value;
    }
  }
}

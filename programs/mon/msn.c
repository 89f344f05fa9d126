/*
 * The non-blocking queue of Michael and Scott (M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and
 * blocking concurrent queue algorithms, 1996). Nodes are not freed, so that no counters are needed against ABA.
 *
 * Under TSO the compare-exchange that links a node drains the store buffer first. Under PSO it waits for the stores to
 * its own location only, and a thread can reach a node whose fields are still in the buffer.
 */
#include "../fences.h"
#include <stdlib.h>

enum { EMPTY = 0 };

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};

struct node dummy;
_Atomic(struct node *) head = &dummy, tail = &dummy;

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->value, value);
  set(node->next, 0);
  STORE_STORE();
  for (;;) {
    struct node *last = get(tail);
    struct node *next = get(last->next);
    if (last != get(tail)) continue;
    if (next == 0) {
      if (replace(last->next, next, node)) {
        replace(tail, last, node);
        return;
      }
    } else {
      replace(tail, last, next);
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = get(head);
    struct node *last = get(tail);
    struct node *next = get(first->next);
    if (first != get(head)) continue;
    if (first == last) {
      if (next == 0) return EMPTY;
      replace(tail, last, next);
    } else {
      int value = get(next->value);
      if (replace(head, first, next)) return value;
    }
  }
}

#include "queue-harness.h"

/*
 * The queue with two locks of Michael and Scott, as in RELAXER's Fig. 10.
 *
 * One lock for each end: the thread that takes an element and the one that adds one hold different locks, so only
 * the order of its own stores protects a new node. Under TSO that is enough. Under PSO the link to a node can
 * overtake its fields.
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
pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->value, value);
  set(node->next, 0);
  STORE_STORE();
  pthread_mutex_lock(&tail_lock);
  set(get(tail)->next, node);
  set(tail, node);
  pthread_mutex_unlock(&tail_lock);
}

static int dequeue(void) {
  pthread_mutex_lock(&head_lock);
  struct node *first = get(get(head)->next);
  if (first == 0) {
    pthread_mutex_unlock(&head_lock);
    return EMPTY;
  }
  set(head, first);
  pthread_mutex_unlock(&head_lock);
  return get(first->value);
}

#include "queue-harness.h"

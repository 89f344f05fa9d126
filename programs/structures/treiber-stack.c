/*
 * Treiber's lock-free stack.
 * R. K. Treiber, Systems programming: coping with parallelism, 1986.
 *
 * A node is filled and then pushed with a compare-exchange. Under TSO that drains the store buffer; a relaxed one
 * under PSO does not, and another thread can pop a node whose value is still in the buffer. With RECLAIM popped nodes
 * are freed at once: another thread may be reading one, under every model.
 */
#include "../fences.h"
#include <stdint.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  int value;
};

_Atomic(struct node *) top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  struct node *old = get(top);
  do {
    set(node->next, old);
    STORE_STORE();
  } while (!replace(top, old, node));
}

/* 0 if the stack is empty. */
static int pop(void) {
  struct node *old = get(top);
  do {
    if (old == 0) return 0;
  } while (!replace(top, old, get(old->next)));
  int value = old->value;
#ifdef RECLAIM
  free(old);
#endif
  return value;
}

static void *second(void *unused) {
  (void)unused;
  push(2);
  return (void *)(intptr_t)pop();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  push(1);
  int mine = pop();
  void *result;
  pthread_join(thread, &result);
  int theirs = (int)(intptr_t)result;
  assert(mine + theirs == 3 && mine * theirs == 2);
  return 0;
}

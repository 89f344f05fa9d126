/*
 * Hazard pointers: a reader announces the node it is about to use; a thread that removed a node frees it once no reader
 * announces it.
 * M. M. Michael, Hazard pointers: safe memory reclamation for lock-free objects, 2004.
 *
 * The reader announces the node and then checks that it is still there. Under TSO it can check before the
 * announcement is visible to others: the node is removed, nobody seems to use it, and it is freed while the reader
 * uses it. PSO adds nothing. NO_SECOND_LOOK omits the check after the fence, which is wrong under every model.
 */
#include "../fences.h"
#include <stdlib.h>

struct node {
  int value;
};

_Atomic(struct node *) current, hazard;

static void reader(void) {
  struct node *node = get(current);
  for (;;) {
    set(hazard, node);
    STORE_LOAD();
#ifdef NO_SECOND_LOOK
    break;
#else
    struct node *again = get(current);
    if (again == node) break;
    node = again;
#endif
  }
  assert(node->value == 7);
  set(hazard, 0);
}

static void *writer(void *next) {
  struct node *old = swap(current, (struct node *)next);
  while (get(hazard) == old)
    ;
  free(old);
  return 0;
}

static struct node *new_node(void) {
  struct node *node = malloc(sizeof *node);
  node->value = 7;
  return node;
}

int main(void) {
  pthread_t thread;
  set(current, new_node());
  pthread_create(&thread, 0, writer, new_node());
  reader();
  pthread_join(thread, 0);
  return 0;
}

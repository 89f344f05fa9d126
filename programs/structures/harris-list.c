/*
 * Harris' lock-free list: a sorted list whose nodes are marked as deleted, in a bit of their link, before they are
 * unlinked.
 * T. L. Harris, A pragmatic implementation of non-blocking linked-lists, 2001.
 *
 * With NO_MARK a node is unlinked at once, and one that is inserted after it meanwhile is lost, under every model.
 * Under PSO the relaxed compare-exchange that links a new node can overtake its key, and a thread that walks the list
 * sees a node without its key.
 */
#include "../fences.h"
#include <stdint.h>

struct node {
  atomic_uintptr_t next;
  atomic_int key;
};

struct node four = {0, 4};
struct node two = {(uintptr_t)&four, 2};
struct node list = {(uintptr_t)&two, 0};
struct node three;

static struct node *target(uintptr_t link) { return (struct node *)(link & ~(uintptr_t)1); }
static int is_marked(uintptr_t link) { return link & 1; }

/* The last node with a smaller key; marked ones are unlinked on the way. */
static struct node *before(int key) {
  struct node *previous = &list;
  for (;;) {
    uintptr_t link = get(previous->next);
    struct node *node = target(link);
    if (is_marked(link)) {
      previous = &list;
      continue;
    }
    if (node == 0) return previous;
    uintptr_t after = get(node->next);
    if (is_marked(after)) {
      if (!replace(previous->next, link, after & ~(uintptr_t)1)) previous = &list;
      continue;
    }
    if (get(node->key) >= key) return previous;
    previous = node;
  }
}

static void insert(struct node *node, int key) {
  for (;;) {
    struct node *previous = before(key);
    uintptr_t link = get(previous->next);
    if (is_marked(link)) continue;
    set(node->next, link);
    set(node->key, key);
    STORE_STORE();
    if (replace(previous->next, link, (uintptr_t)node)) return;
  }
}

/* It is in the list, and no other thread removes it. */
static void remove_key(int key) {
  struct node *previous = before(key);
  uintptr_t link = get(previous->next);
  struct node *node = target(link);
  uintptr_t after = get(node->next);
#ifndef NO_MARK
  while (!replace(node->next, after, after | 1))
    ;
#endif
  replace(previous->next, link, after);
}

static int is_sorted(void) {
  int last = 0;
  for (struct node *node = target(get(list.next)); node != 0; node = target(get(node->next))) {
    int key = get(node->key);
    if (key <= last) return 0;
    last = key;
  }
  return 1;
}

static void *second(void *unused) {
  (void)unused;
  assert(is_sorted());
  remove_key(2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  insert(&three, 3);
  pthread_join(thread, 0);
  struct node *found = before(3);
  assert(target(get(found->next)) == &three);
  return 0;
}

/*
 * harris: a lock-free sorted list, whose nodes are marked as removed, in a bit of their link, before they are
 * unlinked.
 * T. L. Harris, A pragmatic implementation of non-blocking linked-lists, 2001.
 */
#include "set.h"
#include <stdint.h>

struct node {
  atomic_uintptr_t next;
  atomic_int key;
};

static struct node last = {0, HIGHEST};
static struct node list = {(uintptr_t)&last, LOWEST};

static struct node *target(uintptr_t link) { return (struct node *)(link & ~(uintptr_t)1); }
static int is_marked(uintptr_t link) { return link & 1; }

/* The last node with a smaller key, and its successor; marked ones are unlinked on the way. */
static struct node *search(int key, struct node **found) {
again:;
  struct node *previous = &list, *node = target(get(list.next));
  for (;;) {
    uintptr_t after = get(node->next);
    if (is_marked(after)) {
      uintptr_t expected = (uintptr_t)node;
      if (!replace(previous->next, expected, after & ~(uintptr_t)1)) goto again;
      node = target(after);
      continue;
    }
    if (get(node->key) >= key) {
      *found = node;
      return previous;
    }
    previous = node;
    node = target(after);
  }
}

static int insert(int key) {
  struct node *node = malloc(sizeof *node), *after;
  set(node->key, key);
  for (;;) {
    struct node *previous = search(key, &after);
    if (get(after->key) == key) return 0;
    set(node->next, (uintptr_t)after);
    uintptr_t expected = (uintptr_t)after;
    if (replace(previous->next, expected, (uintptr_t)node)) return 1;
  }
}

static int remove_key(int key) {
  struct node *node;
  for (;;) {
    struct node *previous = search(key, &node);
    if (get(node->key) != key) return 0;
    uintptr_t after = get(node->next);
    if (is_marked(after)) continue;
    uintptr_t expected = after;
    if (!replace(node->next, expected, after | 1)) continue;
    expected = (uintptr_t)node;
    replace(previous->next, expected, after);
    return 1;
  }
}

static int contains(int key) {
  struct node *node;
  search(key, &node);
  return get(node->key) == key;
}

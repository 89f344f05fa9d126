/*
 * Harris' list (T. L. Harris, A pragmatic implementation of non-blocking linked-lists, 2001): a set in which a node is
 * marked as removed, in a bit of its link, before some thread unlinks it.
 *
 * Under TSO the compare-exchange that links a node drains the store buffer first. Under PSO it waits for the stores to
 * its own location only, and a thread can reach a node whose fields are still in the buffer.
 */
#include "../fences.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  atomic_uintptr_t next;
  atomic_int key;
};

struct node last = {0, INT_MAX};
struct node list = {(uintptr_t)&last, INT_MIN};

static struct node *target(uintptr_t link) { return (struct node *)(link & ~(uintptr_t)1); }
static int is_marked(uintptr_t link) { return link & 1; }

/* The first node whose key is not smaller, and, in `before`, the one before it; marked ones in between are unlinked. */
static struct node *search(int key, struct node **before) {
  for (;;) {
    struct node *left = &list;
    uintptr_t left_next = get(list.next);
    struct node *node = &list;
    uintptr_t link = left_next;
    do {
      if (!is_marked(link)) {
        left = node;
        left_next = link;
      }
      node = target(link);
      if (node == &last) break;
      link = get(node->next);
    } while (is_marked(link) || get(node->key) < key);
    *before = left;
    if (target(left_next) != node && !replace(left->next, left_next, (uintptr_t)node)) continue;
    if (node == &last || !is_marked(get(node->next))) return node;
  }
}

static int insert(int key) {
  struct node *added = malloc(sizeof *added);
  set(added->key, key);
  for (;;) {
    struct node *left;
    struct node *right = search(key, &left);
    if (right != &last && get(right->key) == key) return 0;
    set(added->next, (uintptr_t)right);
    STORE_STORE();
    uintptr_t link = (uintptr_t)right;
    if (replace(left->next, link, (uintptr_t)added)) return 1;
  }
}

static int erase(int key) {
  for (;;) {
    struct node *left;
    struct node *right = search(key, &left);
    if (right == &last || get(right->key) != key) return 0;
    uintptr_t after = get(right->next);
    if (is_marked(after) || !replace(right->next, after, after | 1)) continue;
    uintptr_t link = (uintptr_t)right;
    if (!replace(left->next, link, after)) search(key, &left);
    return 1;
  }
}

static int contains(int key) {
  struct node *left;
  struct node *right = search(key, &left);
  return right != &last && get(right->key) == key;
}

#include "set-harness.h"

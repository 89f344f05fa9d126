/*
 * The lazy list (S. Heller and others, A lazy concurrent list-based set algorithm, 2005): updates lock two nodes and
 * check that they are still adjacent; searches take no lock at all.
 *
 * Under TSO every update ends with an unlock, which drains the store buffer. Under PSO the link to a new node can
 * overtake its fields, and a search sees that. The link past a removed node may overtake its mark: a thread that sees
 * the link no longer reaches the node.
 */
#include "../fences.h"
#include <limits.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int key;
  atomic_int removed;
  pthread_mutex_t lock;
};

struct node last = {.key = INT_MAX, .lock = PTHREAD_MUTEX_INITIALIZER};
struct node list = {.key = INT_MIN, .next = &last, .lock = PTHREAD_MUTEX_INITIALIZER};

/* Locks the last node with a smaller key, and its successor. */
static struct node *lock_before(int key) {
  for (;;) {
    struct node *previous = &list;
    struct node *node = get(list.next);
    while (get(node->key) < key) {
      previous = node;
      node = get(node->next);
    }
    pthread_mutex_lock(&previous->lock);
    pthread_mutex_lock(&node->lock);
    if (!get(previous->removed) && !get(node->removed) && get(previous->next) == node) return previous;
    pthread_mutex_unlock(&node->lock);
    pthread_mutex_unlock(&previous->lock);
  }
}

static int insert(int key) {
  struct node *previous = lock_before(key);
  struct node *after = get(previous->next);
  int is_new = get(after->key) != key;
  if (is_new) {
    struct node *node = malloc(sizeof *node);
    pthread_mutex_init(&node->lock, 0);
    set(node->removed, 0);
    set(node->key, key);
    set(node->next, after);
    STORE_STORE();
    set(previous->next, node);
  }
  pthread_mutex_unlock(&after->lock);
  pthread_mutex_unlock(&previous->lock);
  return is_new;
}

static int erase(int key) {
  struct node *previous = lock_before(key);
  struct node *node = get(previous->next);
  int is_there = get(node->key) == key;
  if (is_there) {
    struct node *after = get(node->next);
    set(node->removed, 1);
    set(previous->next, after);
  }
  pthread_mutex_unlock(&node->lock);
  pthread_mutex_unlock(&previous->lock);
  return is_there;
}

static int contains(int key) {
  struct node *node = get(list.next);
  while (get(node->key) < key) node = get(node->next);
  return get(node->key) == key && !get(node->removed);
}

#include "set-harness.h"

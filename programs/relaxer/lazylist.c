/*
 * lazylist: a sorted list whose nodes are marked as removed, under locks, before they are unlinked; searches take none.
 * S. Heller, M. Herlihy, V. Luchangco, M. Moir, W. N. Scherer III, N. Shavit, A lazy concurrent list-based set
 * algorithm, 2005.
 */
#include "set.h"

struct node {
  _Atomic(struct node *) next;
  atomic_int key;
  atomic_int removed;
  pthread_mutex_t lock;
};

static struct node last = {.key = HIGHEST};
static struct node list = {.key = LOWEST, .next = &last};

/* Locks the last node with a smaller key, and its successor. */
static struct node *lock_before(int key) {
  for (;;) {
    struct node *previous = &list, *node = get(list.next);
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
  struct node *previous = lock_before(key), *after = get(previous->next);
  int is_new = get(after->key) != key;
  if (is_new) {
    struct node *node = malloc(sizeof *node);
    pthread_mutex_init(&node->lock, 0);
    set(node->removed, 0);
    set(node->key, key);
    set(node->next, after);
    set(previous->next, node);
  }
  pthread_mutex_unlock(&after->lock);
  pthread_mutex_unlock(&previous->lock);
  return is_new;
}

static int remove_key(int key) {
  struct node *previous = lock_before(key), *node = get(previous->next);
  int is_there = get(node->key) == key;
  if (is_there) {
    set(node->removed, 1);
    set(previous->next, get(node->next));
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

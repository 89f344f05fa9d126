/*
 * The lazy list: updates lock two nodes and check that they are still adjacent; searches take no lock at all.
 * S. Heller, M. Herlihy, V. Luchangco, M. Moir, W. N. Scherer, N. Shavit, A lazy concurrent list-based set algorithm,
 * 2005.
 *
 * With NO_CHECK a node can be inserted after one that has just been removed, and is lost, under every model. Under
 * PSO the link to a new node can overtake its key, and a search, which waits for no lock, sees a node without its key.
 */
#include "../fences.h"

struct node {
  _Atomic(struct node *) next;
  atomic_int key;
  atomic_int removed;
  pthread_mutex_t lock;
};

struct node four = {.key = 4};
struct node two = {.key = 2, .next = &four};
struct node one = {.key = 1, .next = &two};
struct node list = {.next = &one};
struct node three;

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
#ifdef NO_CHECK
    return previous;
#else
    if (!get(previous->removed) && !get(node->removed) && get(previous->next) == node) return previous;
    pthread_mutex_unlock(&node->lock);
    pthread_mutex_unlock(&previous->lock);
#endif
  }
}

static void insert(struct node *node, int key) {
  struct node *previous = lock_before(key), *after = get(previous->next);
  set(node->key, key);
  set(node->next, after);
  STORE_STORE();
  set(previous->next, node);
  pthread_mutex_unlock(&after->lock);
  pthread_mutex_unlock(&previous->lock);
}

static void remove_key(int key) {
  struct node *previous = lock_before(key), *node = get(previous->next);
  set(node->removed, 1);
  set(previous->next, get(node->next));
  pthread_mutex_unlock(&node->lock);
  pthread_mutex_unlock(&previous->lock);
}

static int is_sorted(void) {
  int last = 0;
  for (struct node *node = get(list.next); node != 0; node = get(node->next)) {
    int key = get(node->key);
    if (key <= last) return 0;
    last = key;
  }
  return 1;
}

static void *second(void *unused) {
  (void)unused;
  remove_key(1);
  assert(is_sorted());
  remove_key(2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  insert(&three, 3);
  pthread_join(thread, 0);
  assert(get(list.next) == &three);
  return 0;
}

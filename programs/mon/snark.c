/*
 * The Snark deque (D. L. Detlefs and others, Even better DCAS-based concurrent deques, 2000). It is known to be wrong
 * even under SC (S. Doherty and others, DCAS is not a silver bullet for nonblocking algorithm design, 2004); here only
 * the order of its accesses matters, and the popped values are not checked.
 *
 * A double compare-exchange moves a hat and changes a link. No machine at hand has one, so it takes a lock, and threads
 * that only read take none. Under TSO lock and unlock drain the store buffer. Under PSO the lock does not: inside, the
 * new node can become visible before its fields, and the second store of the two before the first. With -D AT_ONCE the two
 * are exchanges, which no buffer delays, as in an atomic operation. With -D PLACES each use of it is a place of its own.
 *
 * With -D EARLY, a pop reads the value before its double compare-exchange. With -D UNMARKED, it leaves the outer link of the
 * popped node as it is.
 *
 * Harness: two threads that push right, push left, pop right and pop left (RELAXER
 * Sect. 5.2).
 */
#include "../fences.h"
#include <stdlib.h>

enum { EMPTY = 0 };

struct node {
  _Atomic(struct node *) left, right;
  atomic_int value;
};
typedef _Atomic(struct node *) link;

struct node dummy = {&dummy, &dummy, 0};
link left_hat = &dummy, right_hat = &dummy;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef AT_ONCE
#define put(object, value) ((void)swap(object, value))
#else
#define put(object, value) set(object, value)
#endif

#ifdef EARLY
#define READ_EARLY(node) int early = get((node)->value)
#define VALUE(node) early
#else
#define READ_EARLY(node) ((void)0)
#define VALUE(node) get((node)->value)
#endif

#ifdef UNMARKED
#define MARK(link) ((void)0)
#else
#define MARK(link) set(link, &dummy)
#endif

#ifdef PLACES
#define replace_both(a, old_a, new_a, b, old_b, new_b) \
  ({ \
    pthread_mutex_lock(&lock); \
    int done = get(*(a)) == (old_a) && get(*(b)) == (old_b); \
    if (done) { \
      STORE_STORE(); \
      put(*(a), new_a); \
      STORE_STORE(); \
      put(*(b), new_b); \
    } \
    pthread_mutex_unlock(&lock); \
    done; \
  })
#else
static int replace_both(link *a, struct node *old_a, struct node *new_a, link *b, struct node *old_b,
                        struct node *new_b) {
  pthread_mutex_lock(&lock);
  int done = get(*a) == old_a && get(*b) == old_b;
  if (done) {
    STORE_STORE();
    put(*a, new_a);
    STORE_STORE();
    put(*b, new_b);
  }
  pthread_mutex_unlock(&lock);
  return done;
}
#endif

static void push_right(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->right, &dummy);
  set(node->value, value);
  for (;;) {
    struct node *hat = get(right_hat);
    struct node *beyond = get(hat->right);
    if (beyond == hat) {
      set(node->left, &dummy);
      struct node *other_hat = get(left_hat);
      if (replace_both(&right_hat, hat, node, &left_hat, other_hat, node)) return;
    } else {
      set(node->left, hat);
      if (replace_both(&right_hat, hat, node, &hat->right, beyond, node)) return;
    }
  }
}

static void push_left(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->left, &dummy);
  set(node->value, value);
  for (;;) {
    struct node *hat = get(left_hat);
    struct node *beyond = get(hat->left);
    if (beyond == hat) {
      set(node->right, &dummy);
      struct node *other_hat = get(right_hat);
      if (replace_both(&left_hat, hat, node, &right_hat, other_hat, node)) return;
    } else {
      set(node->right, hat);
      if (replace_both(&left_hat, hat, node, &hat->left, beyond, node)) return;
    }
  }
}

static int pop_right(void) {
  for (;;) {
    struct node *hat = get(right_hat);
    struct node *other_hat = get(left_hat);
    if (get(hat->right) == hat) return EMPTY;
    READ_EARLY(hat);
    if (hat == other_hat) {
      if (replace_both(&right_hat, hat, &dummy, &left_hat, other_hat, &dummy)) return VALUE(hat);
    } else {
      struct node *before = get(hat->left);
      if (replace_both(&right_hat, hat, before, &hat->left, before, hat)) {
        int value = VALUE(hat);
        MARK(hat->right);
        return value;
      }
    }
  }
}

static int pop_left(void) {
  for (;;) {
    struct node *hat = get(left_hat);
    struct node *other_hat = get(right_hat);
    if (get(hat->left) == hat) return EMPTY;
    READ_EARLY(hat);
    if (hat == other_hat) {
      if (replace_both(&left_hat, hat, &dummy, &right_hat, other_hat, &dummy)) return VALUE(hat);
    } else {
      struct node *after = get(hat->right);
      if (replace_both(&left_hat, hat, after, &hat->right, after, hat)) {
        int value = VALUE(hat);
        MARK(hat->left);
        return value;
      }
    }
  }
}

static void operations(int value) {
  push_right(value);
  push_left(value + 1);
  pop_right();
  pop_left();
}

static void *first(void *unused) {
  (void)unused;
  operations(1);
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  operations(3);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

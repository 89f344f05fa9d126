/*
 * snark: a deque by double compare-exchange. It is already wrong under SC, though rarely.
 * D. L. Detlefs, C. H. Flood, A. T. Garthwaite, P. A. Martin, N. N. Shavit, G. L. Steele, Even better DCAS-based
 * concurrent deques, 2000.
 *
 * The paper's harness: two threads that each push at the right, push at the left, pop at the right and pop at the left.
 * SMALL: one pushes at the right and one pops there.
 *
 * The double compare-exchange orders no more than a relaxed compare-exchange does. While a word says that one is under
 * way, a thread that reads a link waits: so none sees half of it. (An atomic section would be a full fence.)
 */
#include "../fences.h"
#include <fencepost.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) left, right;
  atomic_int value;
};
typedef _Atomic(struct node *) link;

static struct node dummy = {&dummy, &dummy, 0};
static link left_hat = &dummy, right_hat = &dummy;
static atomic_int busy;

/* A node that is seen before its contents contains 0. */
enum { NOT_FOUND = -1 };

static struct node *look(link *l) {
  while (get(busy))
    ;
  return get(*l);
}

static int replace_both(link *a, struct node *old_a, struct node *new_a, link *b, struct node *old_b,
                        struct node *new_b) {
  while (swap(busy, 1))
    ;
  int done = get(*a) == old_a && get(*b) == old_b;
  if (done) {
    swap(*a, new_a);
    swap(*b, new_b);
  }
  swap(busy, 0);
  return done;
}

static void push_right(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->right, &dummy);
  set(node->value, value);
  for (;;) {
    struct node *hat = look(&right_hat), *beyond = look(&hat->right);
    if (beyond == hat) {
      set(node->left, &dummy);
      struct node *other_hat = look(&left_hat);
      if (replace_both(&right_hat, hat, node, &left_hat, other_hat, node)) return;
    } else {
      set(node->left, hat);
      if (replace_both(&right_hat, hat, node, &hat->right, beyond, node)) return;
    }
  }
}

static int pop_right(void) {
  for (;;) {
    struct node *hat = look(&right_hat), *other_hat = look(&left_hat);
    if (look(&hat->right) == hat) return NOT_FOUND;
    if (hat == other_hat) {
      if (replace_both(&right_hat, hat, &dummy, &left_hat, other_hat, &dummy)) return get(hat->value);
    } else {
      struct node *before = look(&hat->left);
      if (replace_both(&right_hat, hat, before, &hat->left, before, hat)) {
        int value = get(hat->value);
        set(hat->right, &dummy);
        return value;
      }
    }
  }
}

static void push_left(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->left, &dummy);
  set(node->value, value);
  for (;;) {
    struct node *hat = look(&left_hat), *beyond = look(&hat->left);
    if (beyond == hat) {
      set(node->right, &dummy);
      struct node *other_hat = look(&right_hat);
      if (replace_both(&left_hat, hat, node, &right_hat, other_hat, node)) return;
    } else {
      set(node->right, hat);
      if (replace_both(&left_hat, hat, node, &hat->left, beyond, node)) return;
    }
  }
}

static int pop_left(void) {
  for (;;) {
    struct node *hat = look(&left_hat), *other_hat = look(&right_hat);
    if (look(&hat->left) == hat) return NOT_FOUND;
    if (hat == other_hat) {
      if (replace_both(&left_hat, hat, &dummy, &right_hat, other_hat, &dummy)) return get(hat->value);
    } else {
      struct node *after = look(&hat->right);
      if (replace_both(&left_hat, hat, after, &hat->right, after, hat)) {
        int value = get(hat->value);
        set(hat->left, &dummy);
        return value;
      }
    }
  }
}

static void push_and_pop(int value) {
  fencepost_op_begin("push right", value);
  push_right(value);
  fencepost_op_end(0);
  fencepost_op_begin("push left", value + 1);
  push_left(value + 1);
  fencepost_op_end(0);
  fencepost_op_begin("pop right", 0);
  fencepost_op_end(pop_right());
  fencepost_op_begin("pop left", 0);
  fencepost_op_end(pop_left());
}

static void *first(void *unused) {
  (void)unused;
#ifdef SMALL
  fencepost_op_begin("push right", 1);
  push_right(1);
  fencepost_op_end(0);
#else
  push_and_pop(1);
#endif
  return 0;
}

static void *second(void *unused) {
  (void)unused;
#ifdef SMALL
  fencepost_op_begin("pop right", 0);
  fencepost_op_end(pop_right());
#else
  push_and_pop(3);
#endif
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

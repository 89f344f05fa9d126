/*
 * The Snark deque, which was published with a proof and is wrong.
 * D. L. Detlefs, C. H. Flood, A. T. Garthwaite, P. A. Martin, N. N. Shavit, G. L. Steele, Even better DCAS-based
 * concurrent deques, 2000; the errors: S. Doherty and others, DCAS is not a silver bullet for nonblocking algorithm
 * design, 2004.
 *
 * Two hats point to the outermost nodes; a double compare-exchange moves a hat and changes a link at once. A thread
 * that pops looks at the hat and then at the node. If the node has been popped from the other side in between, it
 * looks like the end of an empty deque although others have been pushed, or it is popped a second time. With ONE_SIDE
 * both threads use the right end only, as a stack, and it is correct. The double compare-exchange is an atomic section,
 * a full fence under every model, so the model makes no difference.
 */
#include "../fences.h"
#include <stdint.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { EMPTY = 0 };

struct node {
  _Atomic(struct node *) left, right;
  atomic_int value;
};
typedef _Atomic(struct node *) link;

struct node dummy = {&dummy, &dummy, 0};
link left_hat = &dummy, right_hat = &dummy;

static int replace_both(link *a, struct node *old_a, struct node *new_a, link *b, struct node *old_b,
                        struct node *new_b) {
  __VERIFIER_atomic_begin();
  int done = get(*a) == old_a && get(*b) == old_b;
  if (done) {
    set(*a, new_a);
    set(*b, new_b);
  }
  __VERIFIER_atomic_end();
  return done;
}

static void push_right(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->right, &dummy);
  set(node->value, value);
  for (;;) {
    struct node *hat = get(right_hat), *beyond = get(hat->right);
    if (beyond == hat) {
      set(node->left, &dummy);
      if (replace_both(&right_hat, hat, node, &left_hat, get(left_hat), node)) return;
    } else {
      set(node->left, hat);
      if (replace_both(&right_hat, hat, node, &hat->right, beyond, node)) return;
    }
  }
}

static int pop_right(void) {
  for (;;) {
    struct node *hat = get(right_hat), *other_hat = get(left_hat);
    if (get(hat->right) == hat) return EMPTY;
    if (hat == other_hat) {
      if (replace_both(&right_hat, hat, &dummy, &left_hat, other_hat, &dummy)) return get(hat->value);
    } else {
      struct node *before = get(hat->left);
      if (replace_both(&right_hat, hat, before, &hat->left, before, hat)) {
        int value = get(hat->value);
        set(hat->right, &dummy);
        return value;
      }
    }
  }
}

#ifdef ONE_SIDE
#define push_left push_right
#define pop_left pop_right
#else
static void push_left(int value) {
  struct node *node = malloc(sizeof *node);
  set(node->left, &dummy);
  set(node->value, value);
  for (;;) {
    struct node *hat = get(left_hat), *beyond = get(hat->left);
    if (beyond == hat) {
      set(node->right, &dummy);
      if (replace_both(&left_hat, hat, node, &right_hat, get(right_hat), node)) return;
    } else {
      set(node->right, hat);
      if (replace_both(&left_hat, hat, node, &hat->left, beyond, node)) return;
    }
  }
}

static int pop_left(void) {
  for (;;) {
    struct node *hat = get(left_hat), *other_hat = get(right_hat);
    if (get(hat->left) == hat) return EMPTY;
    if (hat == other_hat) {
      if (replace_both(&left_hat, hat, &dummy, &right_hat, other_hat, &dummy)) return get(hat->value);
    } else {
      struct node *after = get(hat->right);
      if (replace_both(&left_hat, hat, after, &hat->right, after, hat)) {
        int value = get(hat->value);
        set(hat->left, &dummy);
        return value;
      }
    }
  }
}
#endif

/* Each thread pushes before it pops, so no pop finds the deque empty. */
static void *second(void *unused) {
  (void)unused;
  push_right(2);
  return (void *)(intptr_t)pop_left();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  push_left(1);
  int mine = pop_right();
  void *result;
  pthread_join(thread, &result);
  int theirs = (int)(intptr_t)result;
  assert(mine + theirs == 3 && mine * theirs == 2);
  return 0;
}

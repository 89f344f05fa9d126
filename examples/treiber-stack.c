/*
 * Treiber's lock-free stack: a list, changed at its top with a compare-exchange.
 *
 * Under PSO a relaxed compare-exchange waits only for stores to its own location. The node that it pushes can be on
 * top of the stack while its value is still in the buffer, and another thread pops a node without its value. Under TSO
 * every read-modify-write empties the buffer first, so x86 never shows this error. The fix is a release
 * compare-exchange.
 *
 * The other classic error needs no store buffers: if a node is freed as soon as it is popped, another thread, which has
 * just read the old top, reads freed memory. FREE does that. There is no simple fix; programs use hazard
 * pointers or epochs.
 *
 *   fencepost check examples/treiber-stack.c                        sc, tso: verified; pso, rc11: violation (assertion)
 *   fencepost check examples/treiber-stack.c -D RELEASE             verified under all four
 *   fencepost check examples/treiber-stack.c -D RELEASE -D FREE     sc: violation (memory), and so under every model
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELEASE
#define PUSH memory_order_release
#else
#define PUSH memory_order_relaxed
#endif

struct node {
  struct node *next;
  int value;
};

_Atomic(struct node *) top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do node->next = old;
  while (!atomic_compare_exchange_weak_explicit(&top, &old, node, PUSH, memory_order_relaxed));
}

/* 0 if the stack is empty. */
static int pop(void) {
  struct node *old = atomic_load_explicit(&top, memory_order_acquire);
  do {
    if (old == 0) return 0;
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, old->next, memory_order_acquire, memory_order_acquire));
  int value = old->value;
  assert(value != 0);
#ifdef FREE
  free(old);
#endif
  return value;
}

static void *second(void *unused) {
  (void)unused;
  push(2);
  pop();
  return 0;
}

int main(void) {
  pthread_t thread;
  push(1);
  pthread_create(&thread, 0, second, 0);
  pop();
  pthread_join(thread, 0);
  return 0;
}

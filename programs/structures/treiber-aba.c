/*
 * Treiber's stack with nodes that are reused, and the ABA problem.
 * R. K. Treiber, 1986; the tag is from the IBM System/370 manual, 1983.
 *
 * A thread that pops reads the top node and its successor. While it waits, another one pops both and pushes the first
 * again: the compare-exchange finds the node it expects and puts a successor on top that is no longer in the stack.
 * This needs no store buffers. With TAGGED every push and pop also counts, and the compare-exchange notices. The
 * compare-exchanges are seq_cst, so the model makes no difference.
 */
#include "../fences.h"

enum { NONE, A, B, NODES };

/* The node on top, and above it (with TAGGED) the count. */
atomic_int top = A;
atomic_int next[NODES] = {NONE, B, NONE};
atomic_int in_use[NODES];

#ifdef TAGGED
#define COUNT 256
#else
#define COUNT 0
#endif

static int node_in(int word) { return word % 256; }

static void push(int node) {
  set(in_use[node], 0);
  int old = get(top);
  do set(next[node], node_in(old));
  while (!atomic_compare_exchange_strong(&top, &old, old - node_in(old) + node + COUNT));
}

static int pop(void) {
  int old = get(top), node, rest;
  do {
    node = node_in(old);
    if (node == NONE) return NONE;
    rest = get(next[node]);
  } while (!atomic_compare_exchange_strong(&top, &old, old - node + rest + COUNT));
  assert(atomic_exchange(&in_use[node], 1) == 0);
  return node;
}

static void *second(void *unused) {
  (void)unused;
  int first = pop();
  pop();
  if (first != NONE) push(first);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  pop();
  pop();
  pthread_join(thread, 0);
  return 0;
}

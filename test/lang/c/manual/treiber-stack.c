/* expect: correct */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;
static atomic_uint popped;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release, memory_order_relaxed))
    continue;
}

/* Takes everything at once, so that there is no ABA problem. */
static struct node *pop_all(void) { return atomic_exchange_explicit(&top, NULL, memory_order_acquire); }

static unsigned drain(void) {
  unsigned sum = 0;
  for (struct node *node = pop_all(), *next; node != NULL; node = next) {
    next = node->next;
    sum += (unsigned)node->value;
    free(node);
  }
  return sum;
}

static void *producer(void *argument) {
  const int *values = argument;
  for (; *values; values++) push(*values);
  return NULL;
}

static void *consumer(void *argument) {
  (void)argument;
  atomic_fetch_add(&popped, drain());
  return NULL;
}

int main(void) {
  static const int few[] = {1, 2, 0};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, producer, (void *)few);
  pthread_create(&threads[1], NULL, consumer, NULL);
  for (size_t i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  popped += drain();
  printf("%u\n", popped);
  assert(popped == 3);
  return 0;
}

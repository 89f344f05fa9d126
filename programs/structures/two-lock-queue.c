/*
 * The queue with two locks: one for the head, one for the tail, and a dummy node between them.
 * M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and blocking concurrent queue algorithms,
 * 1996.
 *
 * The thread that takes an element and the one that adds one hold different locks, so only the order of its
 * own stores protects a new node. Under PSO the link to it can overtake its value.
 */
#include "../fences.h"
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  int value;
};

struct node dummy;
struct node *head = &dummy, *tail = &dummy;
pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void enqueue(int value) {
  struct node *node = calloc(1, sizeof *node);
  node->value = value;
  pthread_mutex_lock(&tail_lock);
  STORE_STORE();
  set(tail->next, node);
  tail = node;
  pthread_mutex_unlock(&tail_lock);
}

/* 0 if the queue is empty. */
static int dequeue(void) {
  int value = 0;
  pthread_mutex_lock(&head_lock);
  struct node *first = get(head->next);
  if (first != 0) {
    value = first->value;
    assert(value != 0);
    if (head != &dummy) free(head);
    head = first;
  }
  pthread_mutex_unlock(&head_lock);
  return value;
}

static void *producer(void *unused) {
  (void)unused;
  enqueue(1);
  enqueue(2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  int a = dequeue(), b = dequeue();
  pthread_join(thread, 0);
  assert(b == 0 || b == a + 1);
  return 0;
}

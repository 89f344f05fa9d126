/*
 * ms2: the queue with two locks, Fig. 10 of the paper, its lines numbered as there.
 * M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and blocking concurrent queue algorithms, 1996.
 *
 * Under PSO the link of line 5 can overtake the node's contents (line 2), or the node's link (line 3), which dequeue
 * reads under another lock. FENCED: a store-store fence before line 5.
 */
#include "queue.h"
#include <stdlib.h>

struct node {
  struct node *next;
  int data;
};

static struct node dummy;
static struct node *head = &dummy, *tail = &dummy;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node); /* 1 */
  node->data = value;                       /* 2 */
  node->next = 0;                           /* 3 */
  pthread_mutex_lock(&tail_lock);           /* 4 */
#ifdef FENCED
  atomic_thread_fence(memory_order_release);
#endif
  tail->next = node;                /* 5 */
  tail = node;                      /* 6 */
  pthread_mutex_unlock(&tail_lock); /* 7 */
}

static int dequeue(void) {
  pthread_mutex_lock(&head_lock);      /* 8 */
  struct node *node = head;            /* 9 */
  struct node *new_head = node->next;  /* 10 */
  if (new_head) {                      /* 11 */
    head = new_head;                   /* 12 */
    pthread_mutex_unlock(&head_lock);  /* 13 */
    return new_head->data;             /* 14 */
  }
  pthread_mutex_unlock(&head_lock); /* 16 */
  return NOT_FOUND;
}

/*
 * ms2: the queue with two locks, Fig. 10 of the paper, its lines numbered as there.
 * M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and blocking concurrent queue algorithms, 1996.
 *
 * Under PSO the link of line 5 can overtake the node's contents (line 2), or the node's link (line 3), which dequeue
 * reads under another lock. FENCED: a store-store fence before line 5.
 *
 * Sect. 5.1 translates locks into loads, stores, compare-and-swaps and barriers, but does not say how. STUBS does so: with
 * a load-load barrier after the compare-and-swap that takes a lock, and a store-store barrier before the store that
 * releases it. LOOK: whoever takes a lock first waits until it is free. AT_ONCE: executions in which a lock is not free are
 * left out.
 */
#include "queue.h"
#include <stdlib.h>

#ifdef STUBS
typedef atomic_int lock;
#define UNLOCKED 0
static void acquire(lock *l) {
  int free = 0;
#ifdef AT_ONCE
  fencepost_assume(replace(*l, free, 1));
#else
  do {
#ifdef LOOK
    while (get(*l))
      ;
#endif
    free = 0;
  } while (!replace(*l, free, 1));
#endif
  atomic_thread_fence(memory_order_acquire);
}
static void release(lock *l) {
  atomic_thread_fence(memory_order_release);
  set(*l, 0);
}
#else
typedef pthread_mutex_t lock;
#define UNLOCKED PTHREAD_MUTEX_INITIALIZER
#define acquire(l) pthread_mutex_lock(l)
#define release(l) pthread_mutex_unlock(l)
#endif

struct node {
  struct node *next;
  int data;
};

static struct node dummy;
static struct node *head = &dummy, *tail = &dummy;
static lock head_lock = UNLOCKED, tail_lock = UNLOCKED;

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node); /* 1 */
  node->data = value;                       /* 2 */
  node->next = 0;                           /* 3 */
  acquire(&tail_lock);                      /* 4 */
#ifdef FENCED
  atomic_thread_fence(memory_order_release);
#endif
  tail->next = node;   /* 5 */
  tail = node;         /* 6 */
  release(&tail_lock); /* 7 */
}

static int dequeue(void) {
  acquire(&head_lock);                /* 8 */
  struct node *node = head;           /* 9 */
  struct node *new_head = node->next; /* 10 */
  if (new_head) {                     /* 11 */
    head = new_head;                  /* 12 */
    release(&head_lock);              /* 13 */
    return new_head->data;            /* 14 */
  }
  release(&head_lock); /* 16 */
  return NOT_FOUND;
}

/*
 * Queues of waiting threads. A queue is a list of its threads' records. All accesses but those of `woken` are made
 * under the queue's lock, so they add no interleavings; they are steps, because under RC11 only those are ordered by
 * locks. Which threads a wake-up finds is a choice of the search: Linux promises no order.
 */
#include <fencepost/library.h>
#include <fencepost/wait-queue.h>

struct waiter {
  struct waiter *next;
  const volatile void *place;
  struct __fencepost_queue *queue;
  unsigned mask;
  int woken;
};

struct __fencepost_queue {
  int lock;
  struct waiter *first;
};

enum { QUEUES = 61 };
static struct __fencepost_queue queues[QUEUES];
static __thread struct waiter own_wait;

#define get(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define put(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)

struct __fencepost_queue *__fencepost_queue_of(const volatile void *place) {
  return &queues[(__UINTPTR_TYPE__)place / sizeof(int) % QUEUES];
}

void __fencepost_lock_queue(struct __fencepost_queue *queue) { __fencepost_lock(&queue->lock); }

void __fencepost_unlock_queue(struct __fencepost_queue *queue) { __fencepost_unlock(&queue->lock); }

static void push(struct __fencepost_queue *queue, struct waiter *waiter) {
  put(waiter->next, get(queue->first));
  put(waiter->queue, queue);
  put(queue->first, waiter);
}

void __fencepost_enqueue(struct __fencepost_queue *queue, const volatile void *place, unsigned mask) {
  put(own_wait.woken, 0);
  put(own_wait.place, place);
  put(own_wait.mask, mask);
  push(queue, &own_wait);
}

int __fencepost_was_woken(void) { return __atomic_load_n(&own_wait.woken, __ATOMIC_ACQUIRE); }

void __fencepost_await_woken(void) { __fencepost_await_ne_none_acquire(&own_wait.woken, 0, 0); }

/* While the thread was about to lock its queue, another may have moved it. */
static struct __fencepost_queue *lock_own_queue(void) {
  for (;;) {
    struct __fencepost_queue *queue = get(own_wait.queue);
    __fencepost_lock_queue(queue);
    if (get(own_wait.queue) == queue) return queue;
    __fencepost_unlock_queue(queue);
  }
}

static void remove(struct __fencepost_queue *queue, struct waiter *waiter) {
  struct waiter **link = &queue->first;
  while (get(*link) != waiter) link = &get(*link)->next;
  put(*link, get(waiter->next));
}

int __fencepost_give_up_waiting(void) {
  struct __fencepost_queue *queue = lock_own_queue();
  int waits = !get(own_wait.woken);
  if (waits) remove(queue, &own_wait);
  __fencepost_unlock_queue(queue);
  return waits;
}

static int waits_for(struct waiter *waiter, const volatile void *place, unsigned mask) {
  return get(waiter->place) == place && (get(waiter->mask) & mask) != 0;
}

int __fencepost_has_waiters(struct __fencepost_queue *queue, const volatile void *place) {
  for (struct waiter *waiter = get(queue->first); waiter; waiter = get(waiter->next))
    if (waits_for(waiter, place, ~0u)) return 1;
  return 0;
}

/* What happens to one of the remaining threads, as a choice. */
enum { WAKE, MOVE, LEAVE };
static int choose(int wakes, int moves, int leaves) {
  if (!moves && !leaves) return WAKE;
  if (!wakes) return !leaves || (moves && __fencepost_choose(2)) ? MOVE : LEAVE;
  if (!leaves) return __fencepost_choose(2) ? MOVE : WAKE;
  if (!moves) return __fencepost_choose(2) ? LEAVE : WAKE;
  return __fencepost_choose(3);
}

static int wake_or_move(struct __fencepost_queue *queue, const volatile void *place, int wakes, unsigned mask,
                        struct __fencepost_queue *other, const volatile void *to, int moves) {
  int waiting = 0;
  for (struct waiter *waiter = get(queue->first); waiter; waiter = get(waiter->next))
    waiting += waits_for(waiter, place, mask);
  if (waiting == 0) return 0;
  if (wakes > waiting) wakes = waiting;
  if (moves > waiting - wakes) moves = waiting - wakes;
  int leaves = waiting - wakes - moves, sum = wakes + moves;
  for (struct waiter **link = &queue->first, *waiter; wakes + moves > 0 && (waiter = get(*link));) {
    int is_one = waits_for(waiter, place, mask);
    int what = is_one ? choose(wakes, moves, leaves) : LEAVE;
    if (what == WAKE) {
      put(*link, get(waiter->next));
      __atomic_store_n(&waiter->woken, 1, __ATOMIC_RELEASE);
      wakes--;
    } else if (what == MOVE) {
      put(waiter->place, to);
      moves--;
      if (other == queue) {
        link = &waiter->next;
      } else {
        put(*link, get(waiter->next));
        push(other, waiter);
      }
    } else {
      leaves -= is_one;
      link = &waiter->next;
    }
  }
  return sum;
}

int __fencepost_wake(struct __fencepost_queue *queue, const volatile void *place, int count, unsigned mask) {
  return wake_or_move(queue, place, count, mask, queue, place, 0);
}

int __fencepost_wake_and_move(struct __fencepost_queue *queue, const volatile void *place, int count,
                              struct __fencepost_queue *other, const volatile void *to, int moved) {
  return wake_or_move(queue, place, count, ~0u, other, to, moved);
}

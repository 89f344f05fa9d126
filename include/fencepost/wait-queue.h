/*
 * Queues of waiting threads, by address: for futexes, and for condition variables of programs that cancel threads. As
 * in Linux, addresses share a few queues, each with its own lock. A thread is in at most one queue.
 */
#ifndef FENCEPOST_WAIT_QUEUE_H
#define FENCEPOST_WAIT_QUEUE_H

struct __fencepost_queue;

/* The queue of an address. Everything below is called with the queue locked, unless it says otherwise. */
struct __fencepost_queue *__fencepost_queue_of(const volatile void *place);
void __fencepost_lock_queue(struct __fencepost_queue *queue);
void __fencepost_unlock_queue(struct __fencepost_queue *queue);

/* The calling thread begins to wait at the address, for wake-ups that have a bit in common with `mask`. */
void __fencepost_enqueue(struct __fencepost_queue *queue, const volatile void *place, unsigned mask);
/* Whether the calling thread has been woken since then. Not locked: a step, which acquires what the waker released. */
int __fencepost_was_woken(void);
/* Waits for that. Not locked. */
void __fencepost_await_woken(void);
/* Stops waiting: 1, or 0 if already woken. Not locked; locks the queue that the thread is now in. */
int __fencepost_give_up_waiting(void);

/* Whether a thread waits for the address. */
int __fencepost_has_waiters(struct __fencepost_queue *queue, const volatile void *place);
/* Wakes up to `count` threads that wait for the address, any of them, and returns how many. */
int __fencepost_wake(struct __fencepost_queue *queue, const volatile void *place, int count, unsigned mask);
/* The same; then moves up to `moved` others to another address, whose queue is locked too. Returns the sum. */
int __fencepost_wake_and_move(struct __fencepost_queue *queue, const volatile void *place, int count,
                              struct __fencepost_queue *other, const volatile void *to, int moved);

#endif

/*
 * Deferred cancellation. A request is the thread's handle in a table, since the thread may not have started. A
 * cancellation point looks there first. One that waits is a loop that reads what it waits for and the request, in turn;
 * the search recognises such loops. Other files call these functions as hooks, which only programs that cancel have.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <fencepost/wait-queue.h>
#include <pthread.h>

enum { PLACES = 1021 };
static int requests[PLACES], ended[PLACES];

static void enter(int *table, int handle) {
  int old = __atomic_exchange_n(&table[handle % PLACES], handle, __ATOMIC_RELAXED);
  if (old != 0 && old != handle) __fencepost_not_modelled("cancellation, with these threads creating others");
}

int __fencepost_is_cancelled(void) {
  if (__fencepost_glance(&__fencepost_cancel_state) != PTHREAD_CANCEL_ENABLE) return 0;
  int self = __fencepost_self();
  return __atomic_load_n(&requests[self % PLACES], __ATOMIC_RELAXED) == self;
}

void __fencepost_end_cancelled(void) {
  __fencepost_poke(&__fencepost_cancel_state, PTHREAD_CANCEL_DISABLE);
  pthread_exit(PTHREAD_CANCELED);
}

int pthread_cancel(pthread_t thread) {
  enter(requests, (int)thread);
  return 0;
}

void __fencepost_note_end(void) { enter(ended, __fencepost_self()); }

/* Called before a join, which itself cannot be cancelled. Threads that are about to end can be joined soon. */
void __fencepost_await_end(int handle) {
  while (__atomic_load_n(&ended[handle % PLACES], __ATOMIC_RELAXED) != handle) __fencepost_cancellation_point();
}

/* A condition wait: 1 if it timed out. The mutex is held again when the thread is cancelled. */
int __fencepost_wait_cancellably(void *condition, void *mutex, int is_timed) {
  struct __fencepost_queue *queue = __fencepost_queue_of(condition);
  __fencepost_cancellation_point();
  __fencepost_lock_queue(queue);
  __fencepost_enqueue(queue, condition, ~0u);
  __fencepost_unlock_queue(queue);
  __fencepost_unlock(mutex);
  int gives_up = 0;
  if (!is_timed) while (!__fencepost_was_woken() && !(gives_up = __fencepost_is_cancelled())) {}
  int is_left = is_timed || gives_up ? __fencepost_give_up_waiting() : 0;
  __fencepost_lock(mutex);
  if (is_left && (gives_up || __fencepost_is_cancelled())) __fencepost_end_cancelled();
  return is_left;
}

void __fencepost_wake_condition(void *condition, int count) {
  struct __fencepost_queue *queue = __fencepost_queue_of(condition);
  __fencepost_lock_queue(queue);
  __fencepost_wake(queue, condition, count, ~0u);
  __fencepost_unlock_queue(queue);
}

void __fencepost_check_not_waited_for(void *condition) {
  struct __fencepost_queue *queue = __fencepost_queue_of(condition);
  __fencepost_lock_queue(queue);
  if (__fencepost_has_waiters(queue, condition))
    __fencepost_misuse("destruction of a condition variable that a thread waits for");
  __fencepost_unlock_queue(queue);
}

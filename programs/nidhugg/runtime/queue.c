#include "queue.h"

#include "lock.h"

struct rt_queue {
  rt_mutex *mutex;
  rt_condition *not_empty;
  rt_condition *not_full;
  void **items;
  size_t room;
  /* Where the oldest item is, and how many there are. */
  size_t first;
  size_t length;
  /* Numbers of waiting threads, to avoid needless signals. */
  int waiting_to_push;
  int waiting_to_pop;
  int has_ended;
};

rt_status rt_queue_create(rt_queue **made, rt_pool *pool, size_t room) {
  if (room == 0) return RT_INVALID;
  rt_queue *queue = rt_alloc(pool, sizeof *queue);
  if (queue == 0) return RT_NO_MEMORY;
  RT_TRY(rt_mutex_create(&queue->mutex, pool));
  RT_TRY(rt_condition_create(&queue->not_empty, pool));
  RT_TRY(rt_condition_create(&queue->not_full, pool));
  queue->items = rt_alloc(pool, room * sizeof(void *));
  if (queue->items == 0) return RT_NO_MEMORY;
  queue->room = room;
  queue->first = 0;
  queue->length = 0;
  queue->waiting_to_push = 0;
  queue->waiting_to_pop = 0;
  queue->has_ended = 0;
  *made = queue;
  return RT_OK;
}

/* The next two require the lock, and room or an item. */

static rt_status put(rt_queue *queue, void *item) {
  queue->items[(queue->first + queue->length) % queue->room] = item;
  queue->length++;
  return queue->waiting_to_pop > 0 ? rt_condition_signal(queue->not_empty) : RT_OK;
}

static rt_status take(rt_queue *queue, void **item) {
  *item = queue->items[queue->first];
  queue->first = (queue->first + 1) % queue->room;
  queue->length--;
  return queue->waiting_to_push > 0 ? rt_condition_signal(queue->not_full) : RT_OK;
}

static rt_status push(rt_queue *queue, void *item, int waits) {
  RT_TRY(rt_mutex_lock(queue->mutex));
  while (waits && queue->length == queue->room && !queue->has_ended) {
    queue->waiting_to_push++;
    rt_condition_wait(queue->not_full, queue->mutex);
    queue->waiting_to_push--;
  }
  rt_status status;
  if (queue->has_ended)
    status = RT_ENDED;
  else if (queue->length == queue->room)
    status = RT_FULL;
  else
    status = put(queue, item);
  RT_TRY(rt_mutex_unlock(queue->mutex));
  return status;
}

static rt_status pop(rt_queue *queue, void **item, int waits) {
  RT_TRY(rt_mutex_lock(queue->mutex));
  while (waits && queue->length == 0 && !queue->has_ended) {
    queue->waiting_to_pop++;
    rt_condition_wait(queue->not_empty, queue->mutex);
    queue->waiting_to_pop--;
  }
  rt_status status;
  if (queue->length > 0)
    status = take(queue, item);
  else
    status = queue->has_ended ? RT_ENDED : RT_EMPTY;
  RT_TRY(rt_mutex_unlock(queue->mutex));
  return status;
}

rt_status rt_queue_push(rt_queue *queue, void *item) { return push(queue, item, 1); }

rt_status rt_queue_pop(rt_queue *queue, void **item) { return pop(queue, item, 1); }

rt_status rt_queue_try_push(rt_queue *queue, void *item) { return push(queue, item, 0); }

rt_status rt_queue_try_pop(rt_queue *queue, void **item) { return pop(queue, item, 0); }

size_t rt_queue_length(rt_queue *queue) {
  if (rt_mutex_lock(queue->mutex) != RT_OK) return 0;
  size_t length = queue->length;
  rt_mutex_unlock(queue->mutex);
  return length;
}

rt_status rt_queue_end(rt_queue *queue) {
  RT_TRY(rt_mutex_lock(queue->mutex));
  queue->has_ended = 1;
  RT_TRY(rt_condition_broadcast(queue->not_empty));
  RT_TRY(rt_condition_broadcast(queue->not_full));
  return rt_mutex_unlock(queue->mutex);
}

#include "workers.h"

#include "atomic.h"
#include "lock.h"
#include "queue.h"
#include "thread.h"

typedef struct task {
  rt_task *function;
  void *data;
  rt_group *group;
} task;

struct rt_group {
  rt_mutex *mutex;
  rt_condition *done;
  int left;
};

struct rt_workers {
  rt_pool *pool;
  rt_queue *queue;
  rt_thread **threads;
  size_t thread_count;
  rt_atomic done;
};

/* ---- groups */

rt_status rt_group_create(rt_group **made, rt_pool *pool) {
  rt_group *group = rt_alloc(pool, sizeof *group);
  if (group == 0) return RT_NO_MEMORY;
  RT_TRY(rt_mutex_create(&group->mutex, pool));
  RT_TRY(rt_condition_create(&group->done, pool));
  group->left = 0;
  *made = group;
  return RT_OK;
}

static rt_status group_change(rt_group *group, int by) {
  if (group == 0) return RT_OK;
  RT_TRY(rt_mutex_lock(group->mutex));
  group->left += by;
  if (group->left == 0) rt_condition_broadcast(group->done);
  return rt_mutex_unlock(group->mutex);
}

rt_status rt_group_wait(rt_group *group) {
  RT_TRY(rt_mutex_lock(group->mutex));
  while (group->left > 0) rt_condition_wait(group->done, group->mutex);
  return rt_mutex_unlock(group->mutex);
}

/* ---- workers */

static rt_status work(rt_thread *self, void *data) {
  rt_workers *workers = data;
  void *item;
  while (rt_queue_pop(workers->queue, &item) == RT_OK) {
    task *t = item;
    t->function(rt_thread_pool(self), t->data);
    rt_pool_clear(rt_thread_pool(self));
    rt_atomic_add(&workers->done, 1);
    RT_TRY(group_change(t->group, -1));
  }
  return RT_OK;
}

rt_status rt_workers_create(rt_workers **made, rt_pool *pool, size_t threads, size_t room) {
  if (threads == 0) return RT_INVALID;
  rt_workers *workers = rt_alloc(pool, sizeof *workers);
  if (workers == 0) return RT_NO_MEMORY;
  workers->pool = pool;
  workers->thread_count = threads;
  rt_atomic_write(&workers->done, 0);
  RT_TRY(rt_queue_create(&workers->queue, pool, room));
  workers->threads = rt_alloc(pool, threads * sizeof *workers->threads);
  if (workers->threads == 0) return RT_NO_MEMORY;
  static const rt_thread_options options = {"worker", 0};
  for (size_t i = 0; i < threads; i++) RT_TRY(rt_thread_start(&workers->threads[i], pool, &options, work, workers));
  *made = workers;
  return RT_OK;
}

rt_status rt_workers_add(rt_workers *workers, rt_group *group, rt_task *function, void *data) {
  task *t = rt_alloc(workers->pool, sizeof *t);
  if (t == 0) return RT_NO_MEMORY;
  t->function = function;
  t->data = data;
  t->group = group;
  RT_TRY(group_change(group, 1));
  rt_status status = rt_queue_push(workers->queue, t);
  if (status != RT_OK) RT_TRY(group_change(group, -1));
  return status;
}

rt_status rt_workers_end(rt_workers *workers) {
  RT_TRY(rt_queue_end(workers->queue));
  for (size_t i = 0; i < workers->thread_count; i++) {
    rt_status result;
    RT_TRY(rt_thread_join(workers->threads[i], &result));
    RT_TRY(result);
  }
  return RT_OK;
}

int rt_workers_done(rt_workers *workers) { return rt_atomic_read(&workers->done); }

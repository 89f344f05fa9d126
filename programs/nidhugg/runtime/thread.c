#include "thread.h"

#include <pthread.h>

struct rt_thread {
  pthread_t thread;
  rt_pool *pool;
  const char *name;
  rt_thread_main *function;
  void *data;
  rt_status result;
  int is_detached;
};

static void *thread_main(void *argument) {
  rt_thread *self = argument;
  self->result = self->function(self, self->data);
  return 0;
}

rt_status rt_thread_start(rt_thread **made, rt_pool *pool, const rt_thread_options *options, rt_thread_main *function,
                          void *data) {
  static const rt_thread_options defaults = {"", 0};
  if (options == 0) options = &defaults;
  if (function == 0) return RT_INVALID;
  rt_thread *thread = rt_alloc(pool, sizeof *thread);
  if (thread == 0) return RT_NO_MEMORY;
  thread->name = options->name == 0 ? "" : options->name;
  thread->function = function;
  thread->data = data;
  thread->result = RT_OK;
  thread->is_detached = options->is_detached;
  thread->pool = 0;
  if (!thread->is_detached) {
    RT_TRY(rt_pool_create(&thread->pool, pool));
    rt_pool_set_tag(thread->pool, thread->name);
  }
  pthread_t id;
  rt_status status = rt_status_of_errno(pthread_create(&id, 0, thread_main, thread));
  if (status != RT_OK) {
    if (thread->pool != 0) rt_pool_destroy(thread->pool);
    return status;
  }
  thread->thread = id;
  if (thread->is_detached) RT_TRY(rt_status_of_errno(pthread_detach(id)));
  *made = thread;
  return RT_OK;
}

rt_status rt_thread_join(rt_thread *thread, rt_status *result) {
  if (thread->is_detached) return RT_INVALID;
  RT_TRY(rt_status_of_errno(pthread_join(thread->thread, 0)));
  if (result != 0) *result = thread->result;
  rt_pool_destroy(thread->pool);
  thread->pool = 0;
  return RT_OK;
}

void rt_thread_exit(rt_thread *self, rt_status result) {
  self->result = result;
  pthread_exit(0);
}

rt_pool *rt_thread_pool(const rt_thread *thread) { return thread->pool; }

const char *rt_thread_name(const rt_thread *thread) { return thread->name; }

void *rt_thread_data(const rt_thread *thread) { return thread->data; }

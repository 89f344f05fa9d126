/* Threads. Each has its own pool under the pool that it was made from, which is destroyed when the thread is joined. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "pool.h"

typedef struct rt_thread rt_thread;
/* Its return value is the thread's result. */
typedef rt_status rt_thread_main(rt_thread *self, void *data);

typedef struct rt_thread_options {
  const char *name;
  /* It cannot be joined; it then has no pool. */
  int is_detached;
} rt_thread_options;

/* `options` may be null. The object is in `pool`. */
rt_status rt_thread_start(rt_thread **made, rt_pool *pool, const rt_thread_options *options, rt_thread_main *function,
                          void *data);
/* Waits for the end; `result` may be null. */
rt_status rt_thread_join(rt_thread *thread, rt_status *result);
/* Called by the thread itself. */
__attribute__((__noreturn__)) void rt_thread_exit(rt_thread *self, rt_status result);

rt_pool *rt_thread_pool(const rt_thread *thread);
const char *rt_thread_name(const rt_thread *thread);
void *rt_thread_data(const rt_thread *thread);

#endif

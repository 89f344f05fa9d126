/* A pool of threads that run tasks, and a group of tasks that can be waited for. */
#ifndef RT_WORKERS_H
#define RT_WORKERS_H

#include "pool.h"

typedef struct rt_workers rt_workers;
typedef struct rt_group rt_group;
/* Gets a pool that is cleared when the task ends. */
typedef void rt_task(rt_pool *pool, void *data);

/* Up to `room` tasks can wait for a thread; adding more blocks. */
rt_status rt_workers_create(rt_workers **made, rt_pool *pool, size_t threads, size_t room);
/* `group` may be null. */
rt_status rt_workers_add(rt_workers *workers, rt_group *group, rt_task *function, void *data);
/* Runs the tasks that have been added, and ends the threads. */
rt_status rt_workers_end(rt_workers *workers);
/* Number of tasks that have been run; exact after the end. */
int rt_workers_done(rt_workers *workers);

rt_status rt_group_create(rt_group **made, rt_pool *pool);
/* Waits until all tasks added to the group are done. */
rt_status rt_group_wait(rt_group *group);

#endif

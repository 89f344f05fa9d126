/* A bounded queue between threads: a thread that finds it full or empty waits, until the queue is ended. */
#ifndef RT_QUEUE_H
#define RT_QUEUE_H

#include "pool.h"

typedef struct rt_queue rt_queue;

rt_status rt_queue_create(rt_queue **made, rt_pool *pool, size_t room);
/* RT_ENDED once the queue has been ended; what is in it can still be taken out. */
rt_status rt_queue_push(rt_queue *queue, void *item);
rt_status rt_queue_pop(rt_queue *queue, void **item);
/* RT_FULL and RT_EMPTY instead of waiting. */
rt_status rt_queue_try_push(rt_queue *queue, void *item);
rt_status rt_queue_try_pop(rt_queue *queue, void **item);
size_t rt_queue_length(rt_queue *queue);
/* Nothing more will be pushed. */
rt_status rt_queue_end(rt_queue *queue);

#endif

/* Locks that live in pools: mutexes, condition variables, reader-writer locks, and initialisation that runs once. */
#ifndef RT_LOCK_H
#define RT_LOCK_H

#include "pool.h"

typedef struct rt_mutex rt_mutex;
typedef struct rt_condition rt_condition;
typedef struct rt_rwlock rt_rwlock;
typedef struct rt_once rt_once;

/* Destroyed with the pool, or before. */
rt_status rt_mutex_create(rt_mutex **made, rt_pool *pool);
rt_status rt_mutex_destroy(rt_mutex *mutex);
rt_status rt_mutex_lock(rt_mutex *mutex);
/* RT_BUSY if another thread holds it. */
rt_status rt_mutex_try(rt_mutex *mutex);
rt_status rt_mutex_unlock(rt_mutex *mutex);

rt_status rt_condition_create(rt_condition **made, rt_pool *pool);
rt_status rt_condition_destroy(rt_condition *condition);
/* May wake spuriously; check again. */
rt_status rt_condition_wait(rt_condition *condition, rt_mutex *mutex);
rt_status rt_condition_signal(rt_condition *condition);
rt_status rt_condition_broadcast(rt_condition *condition);

/* Many readers or one writer. Writers that wait keep new readers out. */
rt_status rt_rwlock_create(rt_rwlock **made, rt_pool *pool);
rt_status rt_rwlock_read(rt_rwlock *lock);
rt_status rt_rwlock_try_read(rt_rwlock *lock);
rt_status rt_rwlock_write(rt_rwlock *lock);
rt_status rt_rwlock_try_write(rt_rwlock *lock);
/* Of either kind. */
rt_status rt_rwlock_unlock(rt_rwlock *lock);

rt_status rt_once_create(rt_once **made, rt_pool *pool);
/* Calls the function if it has not been called yet; returns once it has been called. */
rt_status rt_once_run(rt_once *once, void (*function)(void *), void *data);

#endif

#include "lock.h"

#include <pthread.h>

struct rt_mutex {
  pthread_mutex_t mutex;
  rt_pool *pool;
};

struct rt_condition {
  pthread_cond_t condition;
  rt_pool *pool;
};

struct rt_rwlock {
  rt_mutex *mutex;
  rt_condition *free;
  /* Readers inside, or -1 for a writer. */
  int holders;
  int waiting_writers;
};

struct rt_once {
  rt_mutex *mutex;
  int done;
};

/* ---- mutexes */

static void mutex_cleanup(void *data) {
  rt_mutex *mutex = data;
  pthread_mutex_destroy(&mutex->mutex);
}

rt_status rt_mutex_create(rt_mutex **made, rt_pool *pool) {
  rt_mutex *mutex = rt_alloc(pool, sizeof *mutex);
  if (mutex == 0) return RT_NO_MEMORY;
  mutex->pool = pool;
  RT_TRY(rt_status_of_errno(pthread_mutex_init(&mutex->mutex, 0)));
  RT_TRY(rt_pool_on_cleanup(pool, mutex_cleanup, mutex));
  *made = mutex;
  return RT_OK;
}

rt_status rt_mutex_destroy(rt_mutex *mutex) { return rt_pool_run_cleanup(mutex->pool, mutex_cleanup, mutex); }

rt_status rt_mutex_lock(rt_mutex *mutex) { return rt_status_of_errno(pthread_mutex_lock(&mutex->mutex)); }

rt_status rt_mutex_try(rt_mutex *mutex) { return rt_status_of_errno(pthread_mutex_trylock(&mutex->mutex)); }

rt_status rt_mutex_unlock(rt_mutex *mutex) { return rt_status_of_errno(pthread_mutex_unlock(&mutex->mutex)); }

/* ---- condition variables */

static void condition_cleanup(void *data) {
  rt_condition *condition = data;
  pthread_cond_destroy(&condition->condition);
}

rt_status rt_condition_create(rt_condition **made, rt_pool *pool) {
  rt_condition *condition = rt_alloc(pool, sizeof *condition);
  if (condition == 0) return RT_NO_MEMORY;
  condition->pool = pool;
  RT_TRY(rt_status_of_errno(pthread_cond_init(&condition->condition, 0)));
  RT_TRY(rt_pool_on_cleanup(pool, condition_cleanup, condition));
  *made = condition;
  return RT_OK;
}

rt_status rt_condition_destroy(rt_condition *condition) {
  return rt_pool_run_cleanup(condition->pool, condition_cleanup, condition);
}

rt_status rt_condition_wait(rt_condition *condition, rt_mutex *mutex) {
  return rt_status_of_errno(pthread_cond_wait(&condition->condition, &mutex->mutex));
}

rt_status rt_condition_signal(rt_condition *condition) {
  return rt_status_of_errno(pthread_cond_signal(&condition->condition));
}

rt_status rt_condition_broadcast(rt_condition *condition) {
  return rt_status_of_errno(pthread_cond_broadcast(&condition->condition));
}

/* ---- reader-writer locks */

rt_status rt_rwlock_create(rt_rwlock **made, rt_pool *pool) {
  rt_rwlock *lock = rt_alloc(pool, sizeof *lock);
  if (lock == 0) return RT_NO_MEMORY;
  RT_TRY(rt_mutex_create(&lock->mutex, pool));
  RT_TRY(rt_condition_create(&lock->free, pool));
  lock->holders = 0;
  lock->waiting_writers = 0;
  *made = lock;
  return RT_OK;
}

static int can_read(const rt_rwlock *lock) { return lock->holders >= 0 && lock->waiting_writers == 0; }

rt_status rt_rwlock_read(rt_rwlock *lock) {
  RT_TRY(rt_mutex_lock(lock->mutex));
  while (!can_read(lock)) RT_TRY(rt_condition_wait(lock->free, lock->mutex));
  lock->holders++;
  return rt_mutex_unlock(lock->mutex);
}

rt_status rt_rwlock_try_read(rt_rwlock *lock) {
  RT_TRY(rt_mutex_lock(lock->mutex));
  int can = can_read(lock);
  if (can) lock->holders++;
  RT_TRY(rt_mutex_unlock(lock->mutex));
  return can ? RT_OK : RT_BUSY;
}

rt_status rt_rwlock_write(rt_rwlock *lock) {
  RT_TRY(rt_mutex_lock(lock->mutex));
  lock->waiting_writers++;
  while (lock->holders != 0) RT_TRY(rt_condition_wait(lock->free, lock->mutex));
  lock->waiting_writers--;
  lock->holders = -1;
  return rt_mutex_unlock(lock->mutex);
}

rt_status rt_rwlock_try_write(rt_rwlock *lock) {
  RT_TRY(rt_mutex_lock(lock->mutex));
  int can = lock->holders == 0;
  if (can) lock->holders = -1;
  RT_TRY(rt_mutex_unlock(lock->mutex));
  return can ? RT_OK : RT_BUSY;
}

rt_status rt_rwlock_unlock(rt_rwlock *lock) {
  RT_TRY(rt_mutex_lock(lock->mutex));
  if (lock->holders == 0) {
    rt_mutex_unlock(lock->mutex);
    return RT_INVALID;
  }
  if (lock->holders < 0)
    lock->holders = 0;
  else
    lock->holders--;
  if (lock->holders == 0) RT_TRY(rt_condition_broadcast(lock->free));
  return rt_mutex_unlock(lock->mutex);
}

/* ---- once */

rt_status rt_once_create(rt_once **made, rt_pool *pool) {
  rt_once *once = rt_alloc(pool, sizeof *once);
  if (once == 0) return RT_NO_MEMORY;
  RT_TRY(rt_mutex_create(&once->mutex, pool));
  once->done = 0;
  *made = once;
  return RT_OK;
}

rt_status rt_once_run(rt_once *once, void (*function)(void *), void *data) {
  RT_TRY(rt_mutex_lock(once->mutex));
  if (!once->done) {
    function(data);
    once->done = 1;
  }
  return rt_mutex_unlock(once->mutex);
}

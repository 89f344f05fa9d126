/* C11 threads: POSIX threads under other names. */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>
#include <threads.h>

static int result_of(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

/*
 * Its completion synchronises with the start of the thread (C11 7.26.5.1), so the thread finds its identifier stored.
 * How an int is returned is looked up, as for all functions.
 */
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  *thread = (thrd_t)__fencepost_next_handle();
  __fencepost_create(NULL, (void *(*)(void *))(void (*)(void))function, argument);
  return thrd_success;
}

int thrd_equal(thrd_t left, thrd_t right) { return left == right; }

thrd_t thrd_current(void) { return pthread_self(); }

int thrd_sleep(const struct timespec *duration, struct timespec *rest) { return nanosleep(duration, rest); }

void thrd_yield(void) { __fencepost_yield(); }

void thrd_exit(int result) { pthread_exit((void *)(long)result); }

int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }

int thrd_join(thrd_t thread, int *result) {
  if ((int)thread == __fencepost_self()) return result_of(__fencepost_join_itself());
  int value = (int)(long)__fencepost_join((int)thread);
  if (result) *result = value;
  return thrd_success;
}

int mtx_init(mtx_t *mutex, int type) {
  __fencepost_init_mutex(mutex, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return thrd_success;
}

int mtx_lock(mtx_t *mutex) { return result_of(pthread_mutex_lock(mutex)); }

int mtx_timedlock(mtx_t *mutex, const struct timespec *deadline) {
  return result_of(pthread_mutex_timedlock(mutex, deadline));
}

int mtx_trylock(mtx_t *mutex) { return result_of(pthread_mutex_trylock(mutex)); }

/* Errors in POSIX that are undefined in C. */
int mtx_unlock(mtx_t *mutex) {
  int error = pthread_mutex_unlock(mutex);
  if (error) __fencepost_misuse("unlock of a mutex that the thread does not hold");
  return result_of(error);
}

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex); }

int cnd_init(cnd_t *condition) { return result_of(pthread_cond_init(condition, NULL)); }

int cnd_signal(cnd_t *condition) { return result_of(pthread_cond_signal(condition)); }

int cnd_broadcast(cnd_t *condition) { return result_of(pthread_cond_broadcast(condition)); }

int cnd_wait(cnd_t *condition, mtx_t *mutex) { return result_of(pthread_cond_wait(condition, mutex)); }

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *deadline) {
  return result_of(pthread_cond_timedwait(condition, mutex, deadline));
}

void cnd_destroy(cnd_t *condition) { pthread_cond_destroy(condition); }

int tss_create(tss_t *key, tss_dtor_t destructor) { return result_of(pthread_key_create(key, destructor)); }

void *tss_get(tss_t key) { return pthread_getspecific(key); }

int tss_set(tss_t key, void *value) { return result_of(pthread_setspecific(key, value)); }

void tss_delete(tss_t key) { pthread_key_delete(key); }

void call_once(once_flag *flag, void (*function)(void)) { pthread_once(flag, function); }

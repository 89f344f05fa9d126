/* C11 threads: glibc implements them on the same objects as POSIX's, but with functions that do not call ours. */
#include <threads.h>

struct c11_start {
  thrd_start_t function;
  void *argument;
};

static void *run_c11(void *argument) {
  struct c11_start start = *(struct c11_start *)argument;
  __libc_free(argument);
  return (void *)(intptr_t)start.function(start.argument);
}

EXPORTED int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  struct c11_start *start = __libc_malloc(sizeof *start);
  if (!start) return thrd_nomem;
  *start = (struct c11_start){function, argument};
  int error = create_thread(thread, NULL, run_c11, start, CALLER);
  if (error) __libc_free(start);
  return !error ? thrd_success : error == EAGAIN || error == ENOMEM ? thrd_nomem : thrd_error;
}

JOINING(thrd_join, (thrd_t thread, int *result), (thread, result))

EXPORTED int thrd_detach(thrd_t thread) { return pthread_detach(thread) ? thrd_error : thrd_success; }

LOCKING(mtx_lock, (mtx_t *mutex), (mutex))
LOCKING(mtx_trylock, (mtx_t *mutex), (mutex))
LOCKING(mtx_timedlock, (mtx_t *mutex, const struct timespec *time), (mutex, time))

EXPORTED int mtx_unlock(mtx_t *mutex) {
  unlocking(mutex, 0, CALLER);
  return REAL(mtx_unlock)(mutex);
}
EXPORTED int mtx_init(mtx_t *mutex, int type) {
  record_object(INIT, mutex, CALLER);
  return REAL(mtx_init)(mutex, type);
}
EXPORTED void mtx_destroy(mtx_t *mutex) {
  REAL(mtx_destroy)(mutex);
  record_object(DESTROY, mutex, CALLER);
}

WAITING(cnd_wait, (cnd_t *condition, mtx_t *mutex), (condition, mutex))
WAITING(cnd_timedwait, (cnd_t *condition, mtx_t *mutex, const struct timespec *time), (condition, mutex, time))
WAKING(cnd_signal, SIGNAL, cnd_t)
WAKING(cnd_broadcast, BROADCAST, cnd_t)

EXPORTED int cnd_init(cnd_t *condition) {
  record_object(INIT, condition, CALLER);
  return REAL(cnd_init)(condition);
}
EXPORTED void cnd_destroy(cnd_t *condition) {
  pause_recording();
  REAL(cnd_destroy)(condition);
  record_object(DESTROY, condition, CALLER);
}

EXPORTED void call_once(once_flag *control, void (*function)(void)) {
  do_once((pthread_once_t *)control, function, CALLER);
}

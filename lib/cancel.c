/*
 * Cancellation, as far as it matters to programs that never cancel: states can be set, and there is nothing to test. A
 * thread that cancels another gets no further.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

static _Thread_local int state = PTHREAD_CANCEL_ENABLE, type = PTHREAD_CANCEL_DEFERRED;

int pthread_setcancelstate(int wanted, int *old) {
  if (wanted != PTHREAD_CANCEL_ENABLE && wanted != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (old) *old = state;
  state = wanted;
  return 0;
}

int pthread_setcanceltype(int wanted, int *old) {
  if (wanted != PTHREAD_CANCEL_DEFERRED && wanted != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (old) *old = type;
  type = wanted;
  return 0;
}

void pthread_testcancel(void) {}

int pthread_cancel(pthread_t thread) {
  (void)thread;
  __fencepost_not_modelled("pthread_cancel");
}

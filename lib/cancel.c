/* A thread's settings for its own cancellation; without effect unless the program cancels threads (cancel-thread.c). */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

__thread int __fencepost_cancel_state = PTHREAD_CANCEL_ENABLE;
static __thread int type = PTHREAD_CANCEL_DEFERRED;

int pthread_setcancelstate(int wanted, int *old) {
  if (wanted != PTHREAD_CANCEL_ENABLE && wanted != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (old) *old = __fencepost_glance(&__fencepost_cancel_state);
  __fencepost_poke(&__fencepost_cancel_state, wanted);
  return 0;
}

int pthread_setcanceltype(int wanted, int *old) {
  if (wanted != PTHREAD_CANCEL_DEFERRED && wanted != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (wanted == PTHREAD_CANCEL_ASYNCHRONOUS && __fencepost_is_cancelled)
    __fencepost_not_modelled("asynchronous cancellation (PTHREAD_CANCEL_ASYNCHRONOUS)");
  if (old) *old = __fencepost_glance(&type);
  __fencepost_poke(&type, wanted);
  return 0;
}

void pthread_testcancel(void) { __fencepost_cancellation_point(); }

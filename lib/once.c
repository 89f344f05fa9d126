/* Once: not started, running, done. A thread that calls it while another runs it waits; later callers only check. */
#include <fencepost/machine.h>
#include <pthread.h>

enum { NOBODY, RUNNING, DONE };

int pthread_once(pthread_once_t *once, void (*initialise)(void)) {
  switch (__fencepost_try_eq_xchg_acquire(once, NOBODY, RUNNING)) {
    case NOBODY:
      initialise();
      __atomic_exchange_n(once, DONE, __ATOMIC_RELEASE);
      break;
    case RUNNING: __fencepost_await_ne_none_acquire(once, RUNNING, 0); break;
  }
  return 0;
}

/*
 * The end of a C++ thread inside functions. As in glibc, pthread_exit and cancellation unwind them like an exception,
 * which runs destructors and `catch (...)`. This is not modelled: the program's code counts the calls after which
 * something would run (src/frontend/llvm/lower/unwinding.ts).
 */
#include <fencepost/exception.h>

static __thread int guarded;

int __fencepost_guard(void) {
  int old = __fencepost_glance(&guarded);
  __fencepost_idle_poke(&guarded, old + 1);
  return old;
}

void __fencepost_unguard(int old) { __fencepost_idle_poke(&guarded, old); }

void __fencepost_check_exit(void) {
  if (__fencepost_glance(&guarded))
    __fencepost_not_modelled("pthread_exit or cancellation inside functions with destructors or catch (...), which it runs; return instead");
}

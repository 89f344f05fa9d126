/* What runs when a thread has ended and its thread-local variables are gone: a POSIX destructor, as in libc++. */
#ifndef FENCEPOST_CXX_AT_THREAD_EXIT_H
#define FENCEPOST_CXX_AT_THREAD_EXIT_H

#include <__config>
#include <__utility/move.h>
#include <pthread.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

struct __exit_action {
  __exit_action *__next_ = nullptr;
  virtual ~__exit_action() {}
  virtual void __run() = 0;
};

template <class _Function>
struct __exit_action_of : __exit_action {
  _Function __function_;
  explicit __exit_action_of(_Function &&__function) : __function_(std::move(__function)) {}
  void __run() override { __function_(); }
};

inline void __run_exit_actions(void *__first) {
  for (__exit_action *__action = static_cast<__exit_action *>(__first); __action;) {
    __exit_action *__next = __action->__next_;
    __action->__run();
    delete __action;
    __action = __next;
  }
}

inline pthread_key_t __make_exit_key() {
  pthread_key_t __key;
  pthread_key_create(&__key, &__run_exit_actions);
  return __key;
}

inline pthread_key_t __exit_key() {
  static pthread_key_t __key = __make_exit_key();
  return __key;
}

/* In the order of the calls. */
template <class _Function>
void __at_thread_exit(_Function __function) {
  pthread_key_t __key = __exit_key();
  __exit_action *__action = new __exit_action_of<_Function>(std::move(__function));
  __exit_action *__last = static_cast<__exit_action *>(pthread_getspecific(__key));
  if (!__last) {
    pthread_setspecific(__key, __action);
    return;
  }
  while (__last->__next_) __last = __last->__next_;
  __last->__next_ = __action;
}

_LIBCPP_END_NAMESPACE_STD

#endif

#ifndef _LIBCPP___THREAD_THREAD_H
#define _LIBCPP___THREAD_THREAD_H

#include <__config>
#include <__exception/terminate.h>
#include <__functional/hash.h>
#include <__functional/unary_function.h>
#include <__memory/unique_ptr.h>
#include <__system_error/throw_system_error.h>
#include <__thread/id.h>
#include <__thread/support.h>
#include <__type_traits/decay.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/invoke.h>
#include <__type_traits/is_same.h>
#include <__type_traits/remove_cvref.h>
#include <__utility/forward.h>
#include <__utility/integer_sequence.h>
#include <__utility/move.h>
#include <__utility/swap.h>
#include <cerrno>
#include <pthread.h>
#include <tuple>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

template <>
struct hash<__thread_id> {
  size_t operator()(__thread_id __id) const { return hash<__libcpp_thread_id>()(__id.__id_); }
};

class thread {
  pthread_t __t_;

  template <class _Call, size_t... _Indices>
  _FENCEPOST_INLINE static void __run(_Call &__call, __index_sequence<_Indices...>) {
    std::__invoke(std::move(std::get<_Indices>(__call))...);
  }

  template <class _Call>
  static void *__start(void *__argument) {
    unique_ptr<_Call> __call(static_cast<_Call *>(__argument));
    __run(*__call, __make_index_sequence<tuple_size<_Call>::value>());
    return nullptr;
  }

public:
  using id = __thread_id;
  using native_handle_type = pthread_t;

  thread() noexcept : __t_(0) {}

  template <class _Function, class... _Args, __enable_if_t<!is_same<__remove_cvref_t<_Function>, thread>::value, int> = 0>
  explicit thread(_Function &&__function, _Args &&...__args) {
    using _Call = tuple<__decay_t<_Function>, __decay_t<_Args>...>;
    _Call *__call = new _Call(std::forward<_Function>(__function), std::forward<_Args>(__args)...);
    pthread_t __handle;
    pthread_create(&__handle, nullptr, &thread::__start<_Call>, __call);
    __t_ = __handle;
  }

  thread(const thread &) = delete;
  thread &operator=(const thread &) = delete;
  thread(thread &&__other) noexcept : __t_(__other.__t_) { __other.__t_ = 0; }
  thread &operator=(thread &&__other) noexcept {
    if (joinable()) std::terminate();
    __t_ = __other.__t_;
    __other.__t_ = 0;
    return *this;
  }
  ~thread() {
    if (joinable()) std::terminate();
  }

  void swap(thread &__other) noexcept { std::swap(__t_, __other.__t_); }
  bool joinable() const noexcept { return __t_ != 0; }
  void join() {
    if (!joinable()) std::__throw_system_error(EINVAL, "thread::join failed");
    if (__t_ == pthread_self()) std::__throw_system_error(EDEADLK, "thread::join failed");
    pthread_join(__t_, nullptr);
    __t_ = 0;
  }
  void detach() {
    if (!joinable()) std::__throw_system_error(EINVAL, "thread::detach failed");
    pthread_detach(__t_);
    __t_ = 0;
  }
  id get_id() const noexcept { return __t_; }
  native_handle_type native_handle() noexcept { return __t_; }
  static unsigned hardware_concurrency() noexcept { return 2; }
};

inline void swap(thread &__left, thread &__right) noexcept { __left.swap(__right); }

_LIBCPP_END_NAMESPACE_STD

#endif

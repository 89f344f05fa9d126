#ifndef _LIBCPP___MUTEX_ONCE_FLAG_H
#define _LIBCPP___MUTEX_ONCE_FLAG_H

#include <__config>
#include <__type_traits/invoke.h>
#include <__utility/forward.h>
#include <fencepost/machine.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

struct once_flag {
  _FENCEPOST_INLINE constexpr once_flag() noexcept : __state_(_Nobody) {}
  once_flag(const once_flag &) = delete;
  once_flag &operator=(const once_flag &) = delete;

private:
  enum { _Nobody, _Running, _Done };
  int __state_;

  /* A function that throws counts as not called: the next caller tries again. */
  struct _Turn {
    int &__state_;
    int __next_;
    _FENCEPOST_INLINE explicit _Turn(int &__state) : __state_(__state), __next_(_Nobody) {}
    _FENCEPOST_INLINE ~_Turn() { __atomic_exchange_n(&__state_, __next_, __ATOMIC_RELEASE); }
  };

  template <class _Callable, class... _Args>
  friend void call_once(once_flag &, _Callable &&, _Args &&...);
};

template <class _Callable, class... _Args>
inline void call_once(once_flag &__flag, _Callable &&__func, _Args &&...__args) {
  for (;;) {
    int __old = __fencepost_try_eq_xchg_acquire(&__flag.__state_, once_flag::_Nobody, once_flag::_Running);
    if (__old == once_flag::_Done) return;
    if (__old == once_flag::_Nobody) {
      once_flag::_Turn __turn(__flag.__state_);
      std::__invoke(std::forward<_Callable>(__func), std::forward<_Args>(__args)...);
      __turn.__next_ = once_flag::_Done;
      return;
    }
    if (__fencepost_await_ne_none_acquire(&__flag.__state_, once_flag::_Running, 0) == once_flag::_Done) return;
  }
}

_LIBCPP_END_NAMESPACE_STD

#endif

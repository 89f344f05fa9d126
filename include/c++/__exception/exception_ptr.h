/* Pointers to exceptions, which count their owners (lib/cxx-throw.c). */
#ifndef _LIBCPP___EXCEPTION_EXCEPTION_PTR_H
#define _LIBCPP___EXCEPTION_EXCEPTION_PTR_H

#include <__config>
#include <__cstddef/nullptr_t.h>
#include <__exception/operations.h>
#include <__utility/move.h>
#include <__utility/swap.h>
#include <typeinfo>

#pragma GCC system_header

extern "C" {
void *__fencepost_current_exception() noexcept;
void __fencepost_hold_exception(void *) noexcept;
void __fencepost_drop_exception(void *) noexcept;
[[noreturn]] void __fencepost_throw_held(void *);
}

_LIBCPP_BEGIN_UNVERSIONED_NAMESPACE_STD

class exception_ptr {
  void *__ptr_;

public:
  exception_ptr() noexcept : __ptr_() {}
  exception_ptr(nullptr_t) noexcept : __ptr_() {}
  exception_ptr(const exception_ptr &__other) noexcept : __ptr_(__other.__ptr_) { __fencepost_hold_exception(__ptr_); }
  exception_ptr(exception_ptr &&__other) noexcept : __ptr_(__other.__ptr_) { __other.__ptr_ = nullptr; }
  exception_ptr &operator=(exception_ptr __other) noexcept {
    std::swap(__ptr_, __other.__ptr_);
    return *this;
  }
  ~exception_ptr() noexcept { __fencepost_drop_exception(__ptr_); }

  explicit operator bool() const noexcept { return __ptr_ != nullptr; }
  friend bool operator==(const exception_ptr &__left, const exception_ptr &__right) noexcept {
    return __left.__ptr_ == __right.__ptr_;
  }
  friend bool operator!=(const exception_ptr &__left, const exception_ptr &__right) noexcept {
    return !(__left == __right);
  }
  friend void swap(exception_ptr &__left, exception_ptr &__right) noexcept { std::swap(__left.__ptr_, __right.__ptr_); }
  friend exception_ptr current_exception() noexcept;
  friend void rethrow_exception(exception_ptr);
};

inline exception_ptr current_exception() noexcept {
  exception_ptr __result;
  __result.__ptr_ = __fencepost_current_exception();
  return __result;
}

inline void rethrow_exception(exception_ptr __exception) { __fencepost_throw_held(__exception.__ptr_); }

template <class _Exception>
exception_ptr make_exception_ptr(_Exception __exception) noexcept {
  try {
    throw __exception;
  } catch (...) {
    return current_exception();
  }
}

_LIBCPP_END_UNVERSIONED_NAMESPACE_STD

#endif

/*
 * Waiting for an atomic object to change: a loop that reads it, which the machine recognises as waiting, and ends once
 * the value has changed; or one that reads it only after notifications, which finds missing ones (lib/atomic-wait.c).
 */
#ifndef _LIBCPP___ATOMIC_ATOMIC_SYNC_H
#define _LIBCPP___ATOMIC_ATOMIC_SYNC_H

#include <__atomic/atomic_waitable_traits.h>
#include <__atomic/contention_t.h>
#include <__atomic/memory_order.h>
#include <__atomic/to_gcc_order.h>
#include <__chrono/duration.h>
#include <__config>
#include <__memory/addressof.h>
#include <cstring>
#include <fencepost/atomic-wait.h>
#include <fencepost/machine.h>
#include <type_traits>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

#if _LIBCPP_STD_VER >= 20

template <class _Waitable, class _Poll>
_FENCEPOST_INLINE void __atomic_wait_unless(const _Waitable &__a, memory_order __order, _Poll &&__poll) {
  for (;;) {
    auto __value = __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_load(__a, __order);
    if (__poll(__value)) return;
  }
}

template <class _Waitable>
_FENCEPOST_INLINE const volatile void *__waited_object(const _Waitable &__a) {
  return __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_contention_address(__a);
}

/* Values with more bits are equal if these are. */
template <class _Tp>
_FENCEPOST_INLINE unsigned long long __bits_of(_Tp const &__value) {
  unsigned long long __bits = 0;
  std::memcpy(&__bits, std::addressof(__value), sizeof(_Tp) < sizeof __bits ? sizeof(_Tp) : sizeof __bits);
  return __bits;
}

template <class _Waitable>
_FENCEPOST_INLINE void __atomic_notify_one(const _Waitable &__a) {
  if (!__fencepost_begin_notify_one(std::__waited_object(__a))) return __fencepost_notify(std::__waited_object(__a));
  auto __value = __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_load(__a, memory_order_relaxed);
  __fencepost_notify_one(std::__waited_object(__a), std::__bits_of(__value));
}

template <class _Waitable>
_FENCEPOST_INLINE void __atomic_notify_all(const _Waitable &__a) {
  __fencepost_notify_all(std::__waited_object(__a));
}

template <class _Tp>
_FENCEPOST_INLINE bool __cxx_nonatomic_compare_equal(_Tp const &__left, _Tp const &__right) {
  if constexpr (is_scalar<_Tp>::value && !is_floating_point<_Tp>::value) return __left == __right;
  else if constexpr (sizeof(_Tp) <= sizeof(unsigned long long)) return std::__bits_of(__left) == std::__bits_of(__right);
  else return std::memcmp(std::addressof(__left), std::addressof(__right), sizeof(_Tp)) == 0;
}

template <class _Waitable, class _Tp>
_FENCEPOST_INLINE void __atomic_wait(_Waitable &__a, _Tp __old, memory_order __order) {
  static_assert(__atomic_waitable<_Waitable>);
  constexpr bool __is_number = is_scalar<_Tp>::value && !is_floating_point<_Tp>::value;
  if (__fencepost_begin_wait(std::__waited_object(__a), sizeof(_Tp), __is_number)) {
    for (bool __is_first = true;; __is_first = false) {
      int __last = __fencepost_last_notice(std::__waited_object(__a));
      _Tp __value = __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_load(__a, __order);
      if (!std::__cxx_nonatomic_compare_equal(__value, __old)) {
        /* The loop below does that. */
        __fencepost_covered(!__is_first);
        return __fencepost_end_wait();
      }
      __fencepost_await_notice(std::__waited_object(__a), std::__bits_of(__old), __last);
    }
  }
  for (;;) {
    _Tp __value = __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_load(__a, __order);
    if (!std::__cxx_nonatomic_compare_equal(__value, __old)) return __fencepost_end_wait();
  }
}

#endif

_LIBCPP_END_NAMESPACE_STD

#endif

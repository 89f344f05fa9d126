/* Additions to atomic floating-point numbers are loops of compare-exchanges, as on most processors. */
#ifndef _LIBCPP___ATOMIC_FLOATING_POINT_HELPER_H
#define _LIBCPP___ATOMIC_FLOATING_POINT_HELPER_H

#include <__config>
#include <__type_traits/is_floating_point.h>
#include <__type_traits/is_same.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

#if _LIBCPP_STD_VER >= 20

template <class _Tp>
constexpr bool __is_fp80_long_double() {
  return __LDBL_MANT_DIG__ == 64 && std::is_same_v<_Tp, long double>;
}

template <class _Tp>
constexpr bool __has_rmw_builtin() {
  static_assert(std::is_floating_point_v<_Tp>);
  return false;
}

#endif

_LIBCPP_END_NAMESPACE_STD

#endif

/* libc++'s header, with the function that libc++ has in its library. */
#ifndef FENCEPOST_CXX_SORT_H
#define FENCEPOST_CXX_SORT_H

#include <__config>
#include_next <__algorithm/sort.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Comp, class _Iterator>
void __sort(_Iterator __first, _Iterator __last, _Comp) {
  /* Only called for less<>. */
  __less<> __comp;
  if (__first == __last) return;
  auto __depth = 2 * std::__bit_log2(static_cast<size_t>(__last - __first));
  std::__introsort<_ClassicAlgPolicy, __less<> &, _Iterator, false>(__first, __last, __comp, __depth);
}

_LIBCPP_END_NAMESPACE_STD

#endif

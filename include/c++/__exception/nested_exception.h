/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_NESTED_EXCEPTION_H
#define FENCEPOST_CXX_NESTED_EXCEPTION_H

#include_next <__exception/nested_exception.h>
#include <__exception/terminate.h>

#pragma GCC system_header

_LIBCPP_BEGIN_UNVERSIONED_NAMESPACE_STD

inline nested_exception::nested_exception() noexcept : __ptr_(current_exception()) {}
inline nested_exception::~nested_exception() noexcept {}
inline void nested_exception::rethrow_nested() const {
  if (!__ptr_) std::terminate();
  std::rethrow_exception(__ptr_);
}

_LIBCPP_END_UNVERSIONED_NAMESPACE_STD

#endif

/* libc++'s, with what it has in its library. */
#ifndef FENCEPOST_CXX_SHARED_PTR_H
#define FENCEPOST_CXX_SHARED_PTR_H

#include_next <__memory/shared_ptr.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

inline bad_weak_ptr::~bad_weak_ptr() noexcept {}
inline const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }

_LIBCPP_END_NAMESPACE_STD

#endif

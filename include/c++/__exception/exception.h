/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_EXCEPTION_H
#define FENCEPOST_CXX_EXCEPTION_H

#include_next <__exception/exception.h>

#pragma GCC system_header

_LIBCPP_BEGIN_UNVERSIONED_NAMESPACE_STD

inline exception::~exception() noexcept {}
inline const char *exception::what() const noexcept { return "std::exception"; }
inline bad_exception::~bad_exception() noexcept {}
inline const char *bad_exception::what() const noexcept { return "std::bad_exception"; }

_LIBCPP_END_UNVERSIONED_NAMESPACE_STD

#endif

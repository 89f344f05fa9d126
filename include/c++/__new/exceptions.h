/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_NEW_EXCEPTIONS_H
#define FENCEPOST_CXX_NEW_EXCEPTIONS_H

#include_next <__new/exceptions.h>

#pragma GCC system_header

_LIBCPP_BEGIN_UNVERSIONED_NAMESPACE_STD

inline bad_alloc::bad_alloc() noexcept {}
inline bad_alloc::~bad_alloc() noexcept {}
inline const char *bad_alloc::what() const noexcept { return "std::bad_alloc"; }
inline bad_array_new_length::bad_array_new_length() noexcept {}
inline bad_array_new_length::~bad_array_new_length() noexcept {}
inline const char *bad_array_new_length::what() const noexcept { return "bad_array_new_length"; }
inline void __throw_bad_alloc() { throw bad_alloc(); }

_LIBCPP_END_UNVERSIONED_NAMESPACE_STD

#endif

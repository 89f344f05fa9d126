/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_FUNCTION_H
#define FENCEPOST_CXX_FUNCTION_H

#include_next <__functional/function.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

#if _LIBCPP_AVAILABILITY_HAS_BAD_FUNCTION_CALL_KEY_FUNCTION
inline bad_function_call::~bad_function_call() noexcept {}
#endif
#if _LIBCPP_AVAILABILITY_HAS_BAD_FUNCTION_CALL_GOOD_WHAT_MESSAGE
inline const char *bad_function_call::what() const noexcept { return "std::bad_function_call"; }
#endif

_LIBCPP_END_NAMESPACE_STD

#endif

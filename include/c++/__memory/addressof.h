/* libc++'s, with every function inlined; constexpr in C++11 and C++14 too, for which libc++ needs clang's builtin. */
#ifndef FENCEPOST_CXX_ADDRESSOF_H
#define FENCEPOST_CXX_ADDRESSOF_H

#include <__config>

#pragma GCC system_header
#pragma push_macro("_LIBCPP_HIDE_FROM_ABI")
#undef _LIBCPP_HIDE_FROM_ABI
#define _LIBCPP_HIDE_FROM_ABI __attribute__((__always_inline__))
#pragma push_macro("_LIBCPP_CONSTEXPR_SINCE_CXX17")
#undef _LIBCPP_CONSTEXPR_SINCE_CXX17
#define _LIBCPP_CONSTEXPR_SINCE_CXX17 constexpr
#include_next <__memory/addressof.h>
#pragma pop_macro("_LIBCPP_CONSTEXPR_SINCE_CXX17")
#pragma pop_macro("_LIBCPP_HIDE_FROM_ABI")

#endif

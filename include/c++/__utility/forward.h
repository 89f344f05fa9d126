/* libc++'s, with every function inlined. */
#ifndef FENCEPOST_CXX_FORWARD_H
#define FENCEPOST_CXX_FORWARD_H

#include <__config>

#pragma GCC system_header
#pragma push_macro("_LIBCPP_HIDE_FROM_ABI")
#undef _LIBCPP_HIDE_FROM_ABI
#define _LIBCPP_HIDE_FROM_ABI __attribute__((__always_inline__))
#include_next <__utility/forward.h>
#pragma pop_macro("_LIBCPP_HIDE_FROM_ABI")

#endif

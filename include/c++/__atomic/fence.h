/* libc++'s header, with every function inlined: an atomic operation then has the order and place of the call. */
#ifndef FENCEPOST_CXX_FENCE_H
#define FENCEPOST_CXX_FENCE_H

#include <__config>
#include <__atomic/memory_order.h>
#include <__memory/addressof.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <__atomic/support.h>

#pragma GCC system_header
#pragma push_macro("_LIBCPP_HIDE_FROM_ABI")
#undef _LIBCPP_HIDE_FROM_ABI
#define _LIBCPP_HIDE_FROM_ABI __attribute__((__always_inline__))
#include_next <__atomic/fence.h>
#pragma pop_macro("_LIBCPP_HIDE_FROM_ABI")

#endif

/* libc++'s header, with every function inlined: an atomic operation then has the order and place of the call. */
#ifndef FENCEPOST_CXX_ATOMIC_H
#define FENCEPOST_CXX_ATOMIC_H

#include <__config>
#include <__atomic/memory_order.h>
#include <__memory/addressof.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <__atomic/atomic_sync.h>
#include <__atomic/check_memory_order.h>
#include <__atomic/floating_point_helper.h>
#include <__atomic/is_always_lock_free.h>
#include <__atomic/support.h>
#include <__functional/operations.h>
#include <__utility/forward.h>

#pragma GCC system_header
#pragma push_macro("_LIBCPP_HIDE_FROM_ABI")
#undef _LIBCPP_HIDE_FROM_ABI
#define _LIBCPP_HIDE_FROM_ABI __attribute__((__always_inline__))
#include_next <__atomic/atomic.h>
#pragma pop_macro("_LIBCPP_HIDE_FROM_ABI")

#endif

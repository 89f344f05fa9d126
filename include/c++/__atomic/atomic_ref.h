/* libc++'s header, with every function inlined: an atomic operation then has the order and place of the call. */
#ifndef FENCEPOST_CXX_ATOMIC_REF_H
#define FENCEPOST_CXX_ATOMIC_REF_H

#include <__config>
#include <__atomic/memory_order.h>
#include <__memory/addressof.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <__assert>
#include <__atomic/atomic_sync.h>
#include <__atomic/check_memory_order.h>
#include <__atomic/floating_point_helper.h>
#include <__atomic/to_gcc_order.h>
#include <__concepts/arithmetic.h>
#include <__concepts/same_as.h>
#include <__memory/addressof.h>

#pragma GCC system_header
#pragma push_macro("_LIBCPP_HIDE_FROM_ABI")
#undef _LIBCPP_HIDE_FROM_ABI
#define _LIBCPP_HIDE_FROM_ABI __attribute__((__always_inline__))
#include_next <__atomic/atomic_ref.h>
#pragma pop_macro("_LIBCPP_HIDE_FROM_ABI")

#endif

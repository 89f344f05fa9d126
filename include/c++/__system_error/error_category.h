/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_ERROR_CATEGORY_H
#define FENCEPOST_CXX_ERROR_CATEGORY_H

#include_next <__system_error/error_category.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

inline error_category::~error_category() noexcept {}

_LIBCPP_END_NAMESPACE_STD

#endif

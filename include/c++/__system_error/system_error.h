/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_SYSTEM_ERROR_H
#define FENCEPOST_CXX_SYSTEM_ERROR_H

#include_next <__system_error/system_error.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

/* Joining a given text and the error's would need strings in every program with threads: a given text stands alone. */
inline system_error::system_error(error_code __code, const string &__text) : runtime_error(__text), __ec_(__code) {}
inline system_error::system_error(error_code __code, const char *__text) : runtime_error(__text), __ec_(__code) {}
inline system_error::system_error(error_code __code) : runtime_error(__code.message()), __ec_(__code) {}
inline system_error::system_error(int __error, const error_category &__category, const string &__text)
    : system_error(error_code(__error, __category), __text) {}
inline system_error::system_error(int __error, const error_category &__category, const char *__text)
    : system_error(error_code(__error, __category), __text) {}
inline system_error::system_error(int __error, const error_category &__category)
    : system_error(error_code(__error, __category)) {}
inline system_error::~system_error() noexcept {}

inline void __throw_system_error(int __error, const char *__text) {
  throw system_error(error_code(__error, generic_category()), __text);
}

_LIBCPP_END_NAMESPACE_STD

#endif

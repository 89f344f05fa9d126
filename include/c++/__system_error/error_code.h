/* libc++'s header, with the functions that libc++ has in its library. */
#ifndef FENCEPOST_CXX_ERROR_CODE_H
#define FENCEPOST_CXX_ERROR_CODE_H

#include_next <__system_error/error_code.h>
#include <cstring>
#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

inline error_condition error_category::default_error_condition(int __error) const noexcept {
  return error_condition(__error, *this);
}
inline bool error_category::equivalent(int __code, const error_condition &__condition) const noexcept {
  return default_error_condition(__code) == __condition;
}
inline bool error_category::equivalent(const error_code &__code, int __condition) const noexcept {
  return *this == __code.category() && __code.value() == __condition;
}

struct __errno_category : error_category {
  const char *__name_;
  constexpr explicit __errno_category(const char *__name) : __name_(__name) {}
  const char *name() const noexcept override { return __name_; }
  string message(int __error) const override { return string(strerror(__error)); }
  error_condition default_error_condition(int __error) const noexcept override {
    return error_condition(__error, generic_category());
  }
};

inline const error_category &generic_category() noexcept {
  static const __errno_category __category("generic");
  return __category;
}
inline const error_category &system_category() noexcept {
  static const __errno_category __category("system");
  return __category;
}

inline string error_code::message() const { return category().message(value()); }
inline string error_condition::message() const { return category().message(value()); }

_LIBCPP_END_NAMESPACE_STD

#endif

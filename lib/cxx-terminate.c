/* The ends of a C++ program that are errors. */
#include <fencepost/exception.h>
#include <stdlib.h>

static void (*handler)(void);

void (*_ZSt13set_terminatePFvvE(void (*function)(void)))(void);
void (*_ZSt13set_terminatePFvvE(void (*function)(void)))(void) {
  return __atomic_exchange_n(&handler, function, __ATOMIC_ACQ_REL);
}

void (*_ZSt13get_terminatev(void))(void);
void (*_ZSt13get_terminatev(void))(void) { return __atomic_load_n(&handler, __ATOMIC_ACQUIRE); }

__attribute__((__noreturn__)) void _ZSt9terminatev(void);
void _ZSt9terminatev(void) { __fencepost_end_by("std::terminate is called"); }

void __fencepost_end_by(const char *reason) {
  void (*function)(void) = __atomic_load_n(&handler, __ATOMIC_ACQUIRE);
  if (function) function();
  __fencepost_misuse(reason);
}

/* An exception that a function's specification does not allow leaves the function. */
__attribute__((__noreturn__)) void __cxa_call_unexpected(struct thrown *thrown);
void __cxa_call_unexpected(struct thrown *thrown) { __fencepost_leaves_noexcept(thrown); __builtin_unreachable(); }

__attribute__((__noreturn__)) void __cxa_pure_virtual(void);
void __cxa_pure_virtual(void) { __fencepost_misuse("call of a pure virtual function"); }

__attribute__((__noreturn__)) void __cxa_deleted_virtual(void);
void __cxa_deleted_virtual(void) { __fencepost_misuse("call of a deleted virtual function"); }

/* libc++ has found a misuse, or, without exceptions, something that it would throw. */
__attribute__((__noreturn__)) void _ZNSt3__222__libcpp_verbose_abortEPKcz(const char *format, ...);
void _ZNSt3__222__libcpp_verbose_abortEPKcz(const char *format, ...) { __fencepost_misuse(format); }

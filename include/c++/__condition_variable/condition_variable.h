/* A timed wait may end at any time, whatever the clock. */
#ifndef _LIBCPP___CONDITION_VARIABLE_CONDITION_VARIABLE_H
#define _LIBCPP___CONDITION_VARIABLE_CONDITION_VARIABLE_H

#include <__chrono/duration.h>
#include <__chrono/steady_clock.h>
#include <__chrono/system_clock.h>
#include <__chrono/time_point.h>
#include <__config>
#include <__mutex/mutex.h>
#include <__mutex/unique_lock.h>
#include <__utility/move.h>
#include <pthread.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

enum class cv_status { no_timeout, timeout };

class condition_variable {
  pthread_cond_t __c_ = PTHREAD_COND_INITIALIZER;

public:
  using native_handle_type = pthread_cond_t *;

  _FENCEPOST_INLINE constexpr condition_variable() noexcept {
    if (!__builtin_is_constant_evaluated()) pthread_cond_init(&__c_, nullptr);
  }
  condition_variable(const condition_variable &) = delete;
  condition_variable &operator=(const condition_variable &) = delete;
  _FENCEPOST_INLINE ~condition_variable() { pthread_cond_destroy(&__c_); }

  _FENCEPOST_INLINE void notify_one() noexcept { pthread_cond_signal(&__c_); }
  _FENCEPOST_INLINE void notify_all() noexcept { pthread_cond_broadcast(&__c_); }

  _FENCEPOST_INLINE void wait(unique_lock<mutex> &__lock) {
    pthread_cond_wait(&__c_, __lock.mutex()->native_handle());
  }
  template <class _Predicate>
  void wait(unique_lock<mutex> &__lock, _Predicate __done) {
    while (!__done()) wait(__lock);
  }

  template <class _Clock, class _Duration>
  cv_status wait_until(unique_lock<mutex> &__lock, const chrono::time_point<_Clock, _Duration> &) {
    timespec __any = {0, 0};
    return pthread_cond_timedwait(&__c_, __lock.mutex()->native_handle(), &__any) == 0 ? cv_status::no_timeout
                                                                                       : cv_status::timeout;
  }
  template <class _Clock, class _Duration, class _Predicate>
  bool wait_until(unique_lock<mutex> &__lock, const chrono::time_point<_Clock, _Duration> &__time, _Predicate __done) {
    while (!__done())
      if (wait_until(__lock, __time) == cv_status::timeout) return __done();
    return true;
  }
  template <class _Rep, class _Period>
  cv_status wait_for(unique_lock<mutex> &__lock, const chrono::duration<_Rep, _Period> &) {
    return wait_until(__lock, chrono::time_point<chrono::steady_clock>());
  }
  template <class _Rep, class _Period, class _Predicate>
  bool wait_for(unique_lock<mutex> &__lock, const chrono::duration<_Rep, _Period> &, _Predicate __done) {
    return wait_until(__lock, chrono::time_point<chrono::steady_clock>(), std::move(__done));
  }

  _FENCEPOST_INLINE native_handle_type native_handle() { return &__c_; }
};

_LIBCPP_END_NAMESPACE_STD

#endif

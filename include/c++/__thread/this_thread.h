#ifndef _LIBCPP___THREAD_THIS_THREAD_H
#define _LIBCPP___THREAD_THIS_THREAD_H

#include <__chrono/duration.h>
#include <__chrono/steady_clock.h>
#include <__chrono/system_clock.h>
#include <__chrono/time_point.h>
#include <__config>
#include <__thread/id.h>
#include <fencepost/machine.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

/* Meanwhile other threads may take any number of steps, as anywhere else. */
namespace this_thread {

_FENCEPOST_INLINE void yield() noexcept { __fencepost_yield(); }

template <class _Rep, class _Period>
_FENCEPOST_INLINE void sleep_for(const chrono::duration<_Rep, _Period> &) {
  __fencepost_yield();
}

template <class _Clock, class _Duration>
_FENCEPOST_INLINE void sleep_until(const chrono::time_point<_Clock, _Duration> &) {
  __fencepost_yield();
}

} // namespace this_thread

_LIBCPP_END_NAMESPACE_STD

#endif

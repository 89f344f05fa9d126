#ifndef _LIBCPP___MUTEX_MUTEX_H
#define _LIBCPP___MUTEX_MUTEX_H

#include <__config>
#include <__thread/support.h>
#include <pthread.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

/* A static one is initialised before the program starts. */
class mutex {
  pthread_mutex_t __m_ = PTHREAD_MUTEX_INITIALIZER;

public:
  using native_handle_type = pthread_mutex_t *;

  _FENCEPOST_INLINE constexpr mutex() noexcept {
    if (!__builtin_is_constant_evaluated()) pthread_mutex_init(&__m_, nullptr);
  }
  mutex(const mutex &) = delete;
  mutex &operator=(const mutex &) = delete;
  _FENCEPOST_INLINE ~mutex() { pthread_mutex_destroy(&__m_); }

  _FENCEPOST_INLINE void lock() { pthread_mutex_lock(&__m_); }
  _FENCEPOST_INLINE bool try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
  _FENCEPOST_INLINE void unlock() noexcept { pthread_mutex_unlock(&__m_); }
  _FENCEPOST_INLINE native_handle_type native_handle() { return &__m_; }
};

_LIBCPP_END_NAMESPACE_STD

#endif

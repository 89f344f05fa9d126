/*
 * libc++'s, with what it has in its library, and with our own atomic functions. Those work on any shared_ptr, so they
 * take a lock, as everywhere. A lock orders at least what acquire and release do: weaker orders are not modelled.
 */
#ifndef FENCEPOST_CXX_SHARED_PTR_H
#define FENCEPOST_CXX_SHARED_PTR_H

#include <__compare/compare_three_way.h>
#include <__compare/ordering.h>
#include <__config>
#include <__cstddef/nullptr_t.h>
#include <__cstddef/ptrdiff_t.h>
#include <__exception/exception.h>
#include <__functional/binary_function.h>
#include <__functional/operations.h>
#include <__functional/reference_wrapper.h>
#include <__fwd/ostream.h>
#include <__iterator/access.h>
#include <__memory/addressof.h>
#include <__memory/allocation_guard.h>
#include <__memory/allocator.h>
#include <__memory/allocator_destructor.h>
#include <__memory/allocator_traits.h>
#include <__memory/auto_ptr.h>
#include <__memory/compressed_pair.h>
#include <__memory/construct_at.h>
#include <__memory/destroy.h>
#include <__memory/pointer_traits.h>
#include <__memory/shared_count.h>
#include <__memory/uninitialized_algorithms.h>
#include <__memory/unique_ptr.h>
#include <__type_traits/add_reference.h>
#include <__type_traits/conditional.h>
#include <__type_traits/conjunction.h>
#include <__type_traits/disjunction.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/integral_constant.h>
#include <__type_traits/is_array.h>
#include <__type_traits/is_constructible.h>
#include <__type_traits/is_convertible.h>
#include <__type_traits/is_function.h>
#include <__type_traits/is_reference.h>
#include <__type_traits/is_same.h>
#include <__type_traits/nat.h>
#include <__type_traits/negation.h>
#include <__type_traits/remove_cv.h>
#include <__type_traits/remove_extent.h>
#include <__type_traits/remove_reference.h>
#include <__utility/declval.h>
#include <__utility/exception_guard.h>
#include <__utility/forward.h>
#include <__utility/move.h>
#include <__utility/swap.h>
#include <__verbose_abort>
#include <typeinfo>
#include <__atomic/memory_order.h>
#include <__memory/atomic_shared_ptr.h>
#include <fencepost/machine.h>

#pragma GCC system_header
#pragma push_macro("_LIBCPP_HAS_THREADS")
#undef _LIBCPP_HAS_THREADS
#define _LIBCPP_HAS_THREADS 0
#include_next <__memory/shared_ptr.h>
#pragma pop_macro("_LIBCPP_HAS_THREADS")

_LIBCPP_BEGIN_NAMESPACE_STD

inline bad_weak_ptr::~bad_weak_ptr() noexcept {}
inline const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }

struct __shared_ptr_lock {
  int *__word_;
  explicit __shared_ptr_lock(const void *__place) {
    static int __words[16];
    __word_ = &__words[reinterpret_cast<uintptr_t>(__place) / sizeof(void *) % 16];
    __fencepost_lock(__word_);
  }
  ~__shared_ptr_lock() { __fencepost_unlock(__word_); }
  __shared_ptr_lock(const __shared_ptr_lock &) = delete;
};

inline void __check_shared_ptr_order(bool __acquires, bool __releases, memory_order __order) {
  bool __is_full = __order == memory_order_seq_cst || __order == memory_order_acq_rel;
  if (!__is_full && ((__acquires && __order != memory_order_acquire) || (__releases && __order != memory_order_release)))
    __fencepost_not_modelled("atomic functions of a shared_ptr with weaker orders than acquire and release; use atomic<shared_ptr>");
}

template <class _Tp>
bool atomic_is_lock_free(const shared_ptr<_Tp> *) {
  return false;
}

template <class _Tp>
shared_ptr<_Tp> atomic_load_explicit(const shared_ptr<_Tp> *__p, memory_order __order) {
  std::__check_shared_ptr_order(true, false, __order);
  __shared_ptr_lock __lock(__p);
  return *__p;
}
template <class _Tp>
shared_ptr<_Tp> atomic_load(const shared_ptr<_Tp> *__p) {
  return std::atomic_load_explicit(__p, memory_order_seq_cst);
}

/* The old value is released after unlocking. */
template <class _Tp>
void atomic_store_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r, memory_order __order) {
  std::__check_shared_ptr_order(false, true, __order);
  __shared_ptr_lock __lock(__p);
  __p->swap(__r);
}
template <class _Tp>
void atomic_store(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r) {
  std::atomic_store_explicit(__p, std::move(__r), memory_order_seq_cst);
}

template <class _Tp>
shared_ptr<_Tp> atomic_exchange_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r, memory_order __order) {
  std::__check_shared_ptr_order(true, true, __order);
  __shared_ptr_lock __lock(__p);
  __p->swap(__r);
  return __r;
}
template <class _Tp>
shared_ptr<_Tp> atomic_exchange(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r) {
  return std::atomic_exchange_explicit(__p, std::move(__r), memory_order_seq_cst);
}

template <class _Tp>
bool atomic_compare_exchange_strong_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w,
                                             memory_order __success, memory_order __failure) {
  std::__check_shared_ptr_order(true, true, __success);
  std::__check_shared_ptr_order(true, false, __failure);
  shared_ptr<_Tp> __old;
  __shared_ptr_lock __lock(__p);
  if (__p->get() == __v->get() && !__p->owner_before(*__v) && !__v->owner_before(*__p)) {
    __p->swap(__w);
    return true;
  }
  __old = *__p;
  __v->swap(__old);
  return false;
}
template <class _Tp>
bool atomic_compare_exchange_weak_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w,
                                           memory_order __success, memory_order __failure) {
  return std::atomic_compare_exchange_strong_explicit(__p, __v, std::move(__w), __success, __failure);
}
template <class _Tp>
bool atomic_compare_exchange_strong(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w) {
  return std::atomic_compare_exchange_strong_explicit(__p, __v, std::move(__w), memory_order_seq_cst, memory_order_seq_cst);
}
template <class _Tp>
bool atomic_compare_exchange_weak(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w) {
  return std::atomic_compare_exchange_strong(__p, __v, std::move(__w));
}

_LIBCPP_END_NAMESPACE_STD

#endif

/*
 * atomic<shared_ptr> and atomic<weak_ptr>. The pointer is in a box. The atomic object is one word: the box's address,
 * and how many threads took the box through it, with the program's orders. A load takes the box, copies, releases. A
 * thread that replaces the box adds that number to the box's own count; the last one to release the box deletes it.
 *
 * Releasing orders more than the program does. What that could hide shows where the other thread releases last.
 */
#ifndef FENCEPOST_CXX_ATOMIC_SHARED_PTR_H
#define FENCEPOST_CXX_ATOMIC_SHARED_PTR_H

#include <__config>

#if _LIBCPP_STD_VER >= 20

#include <__atomic/atomic.h>
#include <__utility/move.h>
#include <cstdint>
#include <fencepost/atomic-wait.h>
#include <fencepost/machine.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Tp>
class shared_ptr;
template <class _Tp>
class weak_ptr;

template <class _Pointer>
class __atomic_pointer {
  static constexpr int __kept = 1 << 20;
  struct __box {
    _Pointer __value_;
    /* The number of releases; once the box has been replaced, minus the number of times it was taken. */
    atomic<int> __left_{-__kept};
    explicit __box(_Pointer &&__value) : __value_(std::move(__value)) {}
  };

  /* All addresses fit 48 bits. */
  static constexpr uint64_t __one = uint64_t(1) << 48;
  static constexpr int __box_bytes = 6;
  mutable atomic<uint64_t> __word_;

  _FENCEPOST_INLINE static __box *__box_of(uint64_t __word) {
    return reinterpret_cast<__box *>(static_cast<uintptr_t>(__word & (__one - 1)));
  }
  static uint64_t __boxed(_Pointer &&__value) {
    return __is_null(__value) ? 0 : reinterpret_cast<uintptr_t>(new __box(std::move(__value)));
  }
  static _Pointer __value_of(__box *__box) { return __box ? __box->__value_ : _Pointer(); }

  static void __let_go(__box *__box, int __count) {
    if (__box && __box->__left_.fetch_add(__count, memory_order_acq_rel) == -__count) delete __box;
  }
  /* After the box was replaced. */
  static void __retire(uint64_t __word) { __let_go(__box_of(__word), __kept - static_cast<int>(__word / __one)); }

  static bool __is_equal(const _Pointer &__left, const _Pointer &__right) {
    return !__left.owner_before(__right) && !__right.owner_before(__left) && __address(__left) == __address(__right);
  }
  /* A null pointer needs no box. */
  template <class _Up>
  static bool __is_null(const shared_ptr<_Up> &__pointer) {
    return !__pointer && __pointer.use_count() == 0;
  }
  template <class _Up>
  static bool __is_null(const weak_ptr<_Up> &) {
    return false;
  }
  template <class _Up>
  static _Up *__address(const shared_ptr<_Up> &__pointer) {
    return __pointer.get();
  }
  /* A weak_ptr has no get(). */
  template <class _Up>
  static const void *__address(const weak_ptr<_Up> &__pointer) {
    return *reinterpret_cast<void *const *>(std::addressof(__pointer));
  }

  _FENCEPOST_INLINE bool __exchange_if(_Pointer &__expected, _Pointer __desired, memory_order __success, memory_order __failure) {
    uint64_t __next = 0;
    bool __is_made = false;
    for (;;) {
      uint64_t __word = __word_.fetch_add(__one, __failure) + __one;
      __box *__held = __box_of(__word);
      _Pointer __found = __value_of(__held);
      if (!__is_equal(__found, __expected)) {
        __let_go(__held, 1);
        delete __box_of(__next);
        __expected = std::move(__found);
        return false;
      }
      if (!__is_made) __next = __boxed(std::move(__desired));
      __is_made = true;
      while (!__word_.compare_exchange_strong(__word, __next, __success, __failure))
        if (__box_of(__word) != __held) break;
      if (__box_of(__word) == __held) {
        __retire(__word);
        __let_go(__held, 1);
        return true;
      }
      __let_go(__held, 1);
    }
  }

public:
  using value_type = _Pointer;
  static constexpr bool is_always_lock_free = false;
  bool is_lock_free() const noexcept { return false; }

  constexpr __atomic_pointer() noexcept : __word_(0) {}
  __atomic_pointer(_Pointer __value) : __word_(__boxed(std::move(__value))) {}
  __atomic_pointer(const __atomic_pointer &) = delete;
  void operator=(const __atomic_pointer &) = delete;
  ~__atomic_pointer() { delete __box_of(__word_.load(memory_order_relaxed)); }

  _FENCEPOST_INLINE _Pointer load(memory_order __order = memory_order_seq_cst) const {
    __box *__held = __box_of(__word_.fetch_add(__one, __order));
    _Pointer __value = __value_of(__held);
    __let_go(__held, 1);
    return __value;
  }
  _FENCEPOST_INLINE operator _Pointer() const { return load(); }
  _FENCEPOST_INLINE void store(_Pointer __desired, memory_order __order = memory_order_seq_cst) {
    __retire(__word_.exchange(__boxed(std::move(__desired)), __order));
  }
  _FENCEPOST_INLINE _Pointer exchange(_Pointer __desired, memory_order __order = memory_order_seq_cst) {
    uint64_t __word = __word_.exchange(__boxed(std::move(__desired)), __order);
    _Pointer __value = __value_of(__box_of(__word));
    __retire(__word);
    return __value;
  }
  _FENCEPOST_INLINE bool compare_exchange_strong(_Pointer &__expected, _Pointer __desired, memory_order __success, memory_order __failure) {
    return __exchange_if(__expected, std::move(__desired), __success, __failure);
  }
  _FENCEPOST_INLINE bool compare_exchange_weak(_Pointer &__expected, _Pointer __desired, memory_order __success, memory_order __failure) {
    return __exchange_if(__expected, std::move(__desired), __success, __failure);
  }
  _FENCEPOST_INLINE bool compare_exchange_strong(_Pointer &__expected, _Pointer __desired, memory_order __order = memory_order_seq_cst) {
    return __exchange_if(__expected, std::move(__desired), __order, __failure_order(__order));
  }
  _FENCEPOST_INLINE bool compare_exchange_weak(_Pointer &__expected, _Pointer __desired, memory_order __order = memory_order_seq_cst) {
    return __exchange_if(__expected, std::move(__desired), __order, __failure_order(__order));
  }
  _FENCEPOST_INLINE static constexpr memory_order __failure_order(memory_order __order) {
    return __order == memory_order_acq_rel   ? memory_order_acquire
           : __order == memory_order_release ? memory_order_relaxed
                                             : __order;
  }

  /* Like the waits of other atomics (__atomic/atomic_sync.h). Another box is another value. */
  void wait(_Pointer __old, memory_order __order = memory_order_seq_cst) const {
    bool __sleeps = __fencepost_begin_wait(&__word_, __box_bytes, 0);
    for (bool __is_first = true;; __is_first = false) {
      int __last = __sleeps ? __fencepost_last_notice(&__word_) : 0;
      __box *__held = __box_of(__word_.fetch_add(__one, __order));
      bool __changed = !__is_equal(__value_of(__held), __old);
      if (!__changed && !__sleeps)
        while (__box_of(__word_.load(__order)) == __held) {
        }
      __let_go(__held, 1);
      if (__changed) {
        __fencepost_covered(!__sleeps || !__is_first);
        return __fencepost_end_wait();
      }
      if (__sleeps) __fencepost_await_notice(&__word_, reinterpret_cast<uintptr_t>(__held), __last);
    }
  }
  void notify_one() noexcept {
    if (!__fencepost_begin_notify_one(&__word_)) return __fencepost_notify(&__word_);
    __fencepost_notify_one(&__word_, reinterpret_cast<uintptr_t>(__box_of(__word_.load(memory_order_relaxed))));
  }
  void notify_all() noexcept { __fencepost_notify_all(&__word_); }
};

template <class _Tp>
struct atomic<shared_ptr<_Tp>> : __atomic_pointer<shared_ptr<_Tp>> {
  using __base = __atomic_pointer<shared_ptr<_Tp>>;
  constexpr atomic() noexcept = default;
  constexpr atomic(nullptr_t) noexcept {}
  atomic(const atomic &) = delete;
  void operator=(const atomic &) = delete;
  _FENCEPOST_INLINE void operator=(shared_ptr<_Tp> __desired) { this->store(std::move(__desired)); }
  _FENCEPOST_INLINE void operator=(nullptr_t) { this->store(nullptr); }
  atomic(shared_ptr<_Tp> __value) : __base(std::move(__value)) {}
};
template <class _Tp>
struct atomic<weak_ptr<_Tp>> : __atomic_pointer<weak_ptr<_Tp>> {
  using __base = __atomic_pointer<weak_ptr<_Tp>>;
  constexpr atomic() noexcept = default;
  atomic(const atomic &) = delete;
  void operator=(const atomic &) = delete;
  _FENCEPOST_INLINE void operator=(weak_ptr<_Tp> __desired) { this->store(std::move(__desired)); }
  atomic(weak_ptr<_Tp> __value) : __base(std::move(__value)) {}
};

_LIBCPP_END_NAMESPACE_STD

#endif

#endif

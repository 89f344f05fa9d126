/*
 * Atomic operations: done here, with the stripe held, and recorded with the order that the program asked for. They are
 * done seq_cst, for the sake of code that is not recorded; those of 16 bytes are plain under the stripe.
 */

/* From C11's numbers. */
static inline enum order order_of(int order) {
  static const uint8_t orders[] = {RELAXED, ACQUIRE, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST};
  return (enum order)orders[(order & 0xff) < 6 ? order & 0xff : 5];
}

/* The stronger of the two orders: a compare-exchange waits as both say, whether it succeeds or not. */
static inline enum order stronger(enum order success, enum order failure) {
  if (success == SEQ_CST || failure == SEQ_CST) return SEQ_CST;
  int acquires = success == ACQUIRE || success == ACQ_REL || failure == ACQUIRE;
  int releases = success == RELEASE || success == ACQ_REL;
  return acquires && releases ? ACQ_REL : releases ? RELEASE : acquires ? ACQUIRE : RELAXED;
}

static inline struct self *begin_atomic(const volatile void *address, size_t size, uintptr_t place) {
  struct self *self = enter();
  if (UNLIKELY(!self)) return NULL;
  stand_at(self, place);
  take(self, (uintptr_t)address, size);
  return self;
}

static inline void end_atomic(struct self *self, enum operation operation, enum order order, int wrote,
                              const volatile void *address, size_t size, uintptr_t place) {
  if (UNLIKELY(!self)) return;
  put(self, (struct event){operation, order, wrote ? WROTE : 0, NOBODY, (uint32_t)size, (uintptr_t)address, 0}, place);
  let_go(self);
  leave(self);
}

/* Sizes for which C has atomic operations, and sizes for which it has none without a library. */
#define DO_LOAD(a) __atomic_load_n(a, __ATOMIC_SEQ_CST)
#define DO_STORE(a, v) __atomic_store_n(a, v, __ATOMIC_SEQ_CST)
#define DO_RMW(name, a, v) __atomic_##name(a, v, __ATOMIC_SEQ_CST)
#define DO_CAS(a, c, v) __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

#define LOADED(type, size, a, load)                                    \
  uintptr_t place = CALLER;                                            \
  enum order kind = order_of(order);                                   \
  struct self *self = begin_atomic(a, size, place);                    \
  type result = load;                                                  \
  if (kind != RELAXED && kind != ACQUIRE) kind = SEQ_CST;              \
  end_atomic(self, LOAD, kind, 0, a, size, place);                     \
  return result;

#define STORED(size, a, store)                                         \
  uintptr_t place = CALLER;                                            \
  enum order kind = order_of(order);                                   \
  struct self *self = begin_atomic(a, size, place);                    \
  store;                                                               \
  if (kind != RELAXED && kind != RELEASE) kind = SEQ_CST;              \
  end_atomic(self, STORE, kind, 1, a, size, place);

#define MODIFIED(type, size, a, modify)                                \
  uintptr_t place = CALLER;                                            \
  struct self *self = begin_atomic(a, size, place);                    \
  type result = modify;                                                \
  end_atomic(self, RMW, order_of(order), 1, a, size, place);           \
  return result;

#define EXCHANGED(size, a, exchange)                                   \
  uintptr_t place = CALLER;                                            \
  struct self *self = begin_atomic(a, size, place);                    \
  int done = exchange;                                                 \
  end_atomic(self, RMW, stronger(order_of(order), order_of(failure)), done, a, size, place);

#define MODIFY(bits, type, name, what) \
  EXPORTED type __tsan_atomic##bits##_##name(volatile type *a, type v, int order) { MODIFIED(type, sizeof(type), a, what) }

#define ATOMICS(bits, type, LOAD_, STORE_, CAS_)                                                                          \
  EXPORTED type __tsan_atomic##bits##_load(const volatile type *a, int order) { LOADED(type, sizeof(type), a, LOAD_) }    \
  EXPORTED void __tsan_atomic##bits##_store(volatile type *a, type v, int order) { STORED(sizeof(type), a, STORE_) }      \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int order, int failure) { \
    EXCHANGED(sizeof(type), a, CAS_)                                                                                      \
    return done;                                                                                                          \
  }                                                                                                                       \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int order, int failure) {   \
    EXCHANGED(sizeof(type), a, CAS_)                                                                                      \
    return done;                                                                                                          \
  }                                                                                                                       \
  EXPORTED type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type expected, type v, int order, int failure) { \
    type *c = &expected;                                                                                                  \
    EXCHANGED(sizeof(type), a, CAS_)                                                                                      \
    return expected;                                                                                                      \
  }

#define NATIVE(bits, type)                                                          \
  ATOMICS(bits, type, DO_LOAD(a), DO_STORE(a, v), DO_CAS(a, c, v))                  \
  MODIFY(bits, type, exchange, DO_RMW(exchange_n, a, v))                            \
  MODIFY(bits, type, fetch_add, DO_RMW(fetch_add, a, v))                            \
  MODIFY(bits, type, fetch_sub, DO_RMW(fetch_sub, a, v))                            \
  MODIFY(bits, type, fetch_and, DO_RMW(fetch_and, a, v))                            \
  MODIFY(bits, type, fetch_or, DO_RMW(fetch_or, a, v))                              \
  MODIFY(bits, type, fetch_xor, DO_RMW(fetch_xor, a, v))                            \
  MODIFY(bits, type, fetch_nand, DO_RMW(fetch_nand, a, v))

NATIVE(8, uint8_t)
NATIVE(16, uint16_t)
NATIVE(32, uint32_t)
NATIVE(64, uint64_t)

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide;

static inline wide put_wide(volatile wide *a, wide value, wide old) {
  *a = value;
  return old;
}
static inline int exchange_wide(volatile wide *a, wide *expected, wide value) {
  wide old = *a;
  int same = old == *expected;
  if (same) *a = value;
  *expected = old;
  return same;
}

ATOMICS(128, wide, *a, *a = v, exchange_wide(a, c, v))
MODIFY(128, wide, exchange, put_wide(a, v, *a))
MODIFY(128, wide, fetch_add, put_wide(a, *a + v, *a))
MODIFY(128, wide, fetch_sub, put_wide(a, *a - v, *a))
MODIFY(128, wide, fetch_and, put_wide(a, *a & v, *a))
MODIFY(128, wide, fetch_or, put_wide(a, *a | v, *a))
MODIFY(128, wide, fetch_xor, put_wide(a, *a ^ v, *a))
MODIFY(128, wide, fetch_nand, put_wide(a, ~(*a & v), *a))
#endif

EXPORTED void __tsan_atomic_thread_fence(int order) {
  uintptr_t place = CALLER;
  struct self *self = enter();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!self) return;
  stand_at(self, place);
  if (order_of(order) != RELAXED) put(self, (struct event){.operation = FENCE, .order = order_of(order), .other = NOBODY}, place);
  leave(self);
}

/* Orders nothing between threads. */
EXPORTED void __tsan_atomic_signal_fence(int order) { (void)order; }

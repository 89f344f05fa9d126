/* The code to check: docs/driver.md. */
#include <stdatomic.h>

#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

struct spinlock {
  atomic_int held;
};

static inline void spin_lock(struct spinlock *lock) {
  while (atomic_exchange_explicit(&lock->held, 1, memory_order_acquire)) {}
}

static inline void spin_unlock(struct spinlock *lock) {
  atomic_store_explicit(&lock->held, 0, UNLOCK);
}

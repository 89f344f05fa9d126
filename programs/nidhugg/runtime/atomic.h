/*
 * Atomic integers, barriers, spin locks and reference counts.
 *
 * Callers may rely only on the order stated here: reads and writes order nothing, read-modify-writes
 * order everything, and the barriers say what they order.
 */
#ifndef RT_ATOMIC_H
#define RT_ATOMIC_H

#include <stdatomic.h>

typedef struct rt_atomic {
  atomic_int value;
} rt_atomic;

#define RT_ATOMIC_INIT(value) {value}

static inline int rt_atomic_read(rt_atomic *a) { return atomic_load_explicit(&a->value, memory_order_relaxed); }

static inline void rt_atomic_write(rt_atomic *a, int value) {
  atomic_store_explicit(&a->value, value, memory_order_relaxed);
}

/* Both return the old value. */
static inline int rt_atomic_add(rt_atomic *a, int value) { return atomic_fetch_add(&a->value, value); }
static inline int rt_atomic_exchange(rt_atomic *a, int value) { return atomic_exchange(&a->value, value); }

/* Whether the value was `expected`, and is now `desired`. */
static inline int rt_atomic_replace(rt_atomic *a, int expected, int desired) {
  return atomic_compare_exchange_strong(&a->value, &expected, desired);
}

/* Raises the value to at least `floor`; returns the old value. */
static inline int rt_atomic_raise(rt_atomic *a, int floor) {
  int old = rt_atomic_read(a);
  while (old < floor && !atomic_compare_exchange_strong(&a->value, &old, floor))
    ;
  return old;
}

/* Writes before it come before writes after it. */
static inline void rt_barrier_store_store(void) { atomic_thread_fence(memory_order_release); }

/* Everything before it comes before everything after it. */
static inline void rt_barrier_full(void) { atomic_thread_fence(memory_order_seq_cst); }

/* ---- spin locks: for a few instructions only */

typedef struct rt_spin {
  rt_atomic taken;
} rt_spin;

#define RT_SPIN_INIT {RT_ATOMIC_INIT(0)}

static inline void rt_spin_lock(rt_spin *lock) {
  while (rt_atomic_exchange(&lock->taken, 1) != 0)
    ;
}

static inline int rt_spin_try(rt_spin *lock) { return rt_atomic_replace(&lock->taken, 0, 1); }

static inline void rt_spin_unlock(rt_spin *lock) {
  atomic_store_explicit(&lock->taken.value, 0, memory_order_release);
}

/* ---- reference counts: start at 1, and only a holder of a reference may take another */

typedef struct rt_references {
  rt_atomic count;
} rt_references;

static inline void rt_references_init(rt_references *r) { rt_atomic_write(&r->count, 1); }
static inline void rt_references_take(rt_references *r) { rt_atomic_add(&r->count, 1); }

/* True for the last one, whose caller then owns the object. */
static inline int rt_references_drop(rt_references *r) { return rt_atomic_add(&r->count, -1) == 1; }

#endif

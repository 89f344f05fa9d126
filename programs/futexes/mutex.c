/*
 * The three mutexes of U. Drepper, Futexes are tricky, 2011.
 * MUTEX=1 counts every attempt in the word, and wakes at every unlock: threads that come again and again may keep
 * each other from sleeping by counting, and the count may overflow. MUTEX=2 has three states: free, taken, taken with waiters.
 * MUTEX=3 is the same with an exchange in place of a compare-exchange.
 *
 * An exchange or a compare-exchange follows every sleep, so no order between the futex and the word is needed beyond
 * that of the word itself. With FORGETS the owner leaves the state of waiters behind it: a waiter is never woken.
 */
#include "futex.h"

static atomic_int word;
static int counter;

static int exchange_if(int expected, int desired) {
  atomic_compare_exchange_strong_explicit(&word, &expected, desired, memory_order_acquire, memory_order_relaxed);
  return expected;
}

#if MUTEX == 1
static void lock(void) {
  int count;
  while ((count = atomic_fetch_add_explicit(&word, 1, memory_order_acquire)) != 0) futex_wait(&word, count + 1);
}
static void unlock(void) {
  atomic_store_explicit(&word, 0, memory_order_release);
  futex_wake(&word, 1);
}
#else
static void lock(void) {
  int was = exchange_if(0, 1);
  if (was == 0) return;
#if MUTEX == 2
  do {
    if (was == 2 || exchange_if(1, 2) != 0) futex_wait(&word, 2);
#ifdef FORGETS
  } while ((was = exchange_if(0, 1)) != 0);
#else
  } while ((was = exchange_if(0, 2)) != 0);
#endif
#else
#ifdef FORGETS
  while (atomic_exchange_explicit(&word, 1, memory_order_acquire) != 0) futex_wait(&word, 1);
#else
  if (was != 2) was = atomic_exchange_explicit(&word, 2, memory_order_acquire);
  while (was != 0) {
    futex_wait(&word, 2);
    was = atomic_exchange_explicit(&word, 2, memory_order_acquire);
  }
#endif
#endif
}
static void unlock(void) {
  if (atomic_fetch_sub_explicit(&word, 1, memory_order_release) != 1) {
    atomic_store_explicit(&word, 0, memory_order_release);
    futex_wake(&word, 1);
  }
}
#endif

static void *count(void *unused) {
  lock();
  counter++;
  unlock();
  return unused;
}

#ifndef THREADS
#define THREADS 2
#endif
int main(void) {
  pthread_t threads[THREADS];
  for (int i = 1; i < THREADS; i++) threads[i] = start(count);
  count(0);
  for (int i = 1; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(counter == THREADS);
}

/*
 * Shared by the programs: accesses without ordering, and the two kinds of fences, which the programs put wherever
 * they need them and which the command line enables.
 *
 *   (nothing)      no fences: the algorithm as it is printed in books, meant for sequential consistency
 *   -D FENCE_TSO   store-load fences: what TSO needs
 *   -D FENCE_PSO   those and store-store fences: what PSO needs
 *
 * Accesses are relaxed, so that the memory orders in the source have no effect. Where a program uses another order,
 * its comment says so. Read-modify-writes drain the store buffer under TSO whatever their order,
 * but under PSO relaxed ones wait only for the stores to their own location.
 */
#ifndef PROGRAMS_FENCES_H
#define PROGRAMS_FENCES_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCE_PSO
#define FENCE_TSO
#define STORE_STORE() atomic_thread_fence(memory_order_release)
#else
#define STORE_STORE() ((void)0)
#endif

#ifdef FENCE_TSO
#define STORE_LOAD() atomic_thread_fence(memory_order_seq_cst)
#else
#define STORE_LOAD() ((void)0)
#endif

/* With -D EMPTY, nothing happens in a critical section. */
#ifdef EMPTY
#define WORK() ((void)0)
#define WORKED(times) 0
#else
#define WORK() (counter++)
#define WORKED(times) (times)
#endif

/* With -D START, the start of a thread is an event of its own, as in the papers' tools: a load that nothing affects. */
#ifdef START
static atomic_int start;
#define STARTED() ((void)get(start))
#else
#define STARTED() ((void)0)
#endif

/* With -D YIELD, a thread that waits yields in every iteration: a load that tells the papers' schedulers (bench/fair.ts). */
#ifdef YIELD
static atomic_int yielded;
#define YIELDED() ((void)get(yielded))
#else
#define YIELDED() ((void)0)
#endif

#define get(object) atomic_load_explicit(&(object), memory_order_relaxed)
#define set(object, value) atomic_store_explicit(&(object), (value), memory_order_relaxed)
#define swap(object, value) atomic_exchange_explicit(&(object), (value), memory_order_relaxed)
#define add(object, value) atomic_fetch_add_explicit(&(object), (value), memory_order_relaxed)
/* `expected` is a variable; it receives the value that was found instead. */
#define replace(object, expected, value) \
  atomic_compare_exchange_strong_explicit(&(object), &(expected), (value), memory_order_relaxed, memory_order_relaxed)

#endif

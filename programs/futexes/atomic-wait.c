/*
 * atomic::wait and notify_one as three C++ libraries have them for objects that are no futex words themselves: a word
 * beside the object counts changes (`version`), another one the waiters. Written from the descriptions of the bugs and
 * of their fixes; LIBRARY names whose, FIXED is after the fix.
 *
 * The waiter registers, and then its futex call compares the number of changes; the notifier increases that number, and
 * then looks whether anybody is registered. Without a full fence in between on either side that is store buffering: the
 * wake-up is lost. A seq_cst read-modify-write is no full fence in C11.
 *   LIBCXX (llvm-project issue 109290): the waiter relied on a fence in the futex call, and the increment only released.
 *   LIBSTDCXX: the waiter's increment was acq_rel, and the look an acquire load.
 *   ONETBB (pull request 2136): the waiter has its fence; the notifier had only the exchange that changes the object.
 */
#include "futex.h"

enum { relaxed = memory_order_relaxed, acquire = memory_order_acquire, release = memory_order_release };
enum { acq_rel = memory_order_acq_rel, seq_cst = memory_order_seq_cst };

static atomic_int value, version, waiters;

#if defined LIBCXX && defined FIXED
#define REGISTER() (atomic_fetch_add_explicit(&waiters, 1, relaxed), atomic_thread_fence(seq_cst))
#define CHANGE() atomic_fetch_add_explicit(&version, 1, seq_cst)
#define ANY_WAITERS() atomic_load_explicit(&waiters, seq_cst)
#elif defined LIBCXX
#define REGISTER() atomic_fetch_add_explicit(&waiters, 1, seq_cst)
#define CHANGE() atomic_fetch_add_explicit(&version, 1, release)
#define ANY_WAITERS() atomic_load_explicit(&waiters, seq_cst)
#elif defined LIBSTDCXX && defined FIXED
#define REGISTER() (atomic_fetch_add_explicit(&waiters, 1, seq_cst), atomic_thread_fence(seq_cst))
#define CHANGE() atomic_fetch_add_explicit(&version, 1, seq_cst)
#define ANY_WAITERS() atomic_load_explicit(&waiters, seq_cst)
#elif defined LIBSTDCXX
#define REGISTER() atomic_fetch_add_explicit(&waiters, 1, acq_rel)
#define CHANGE() atomic_fetch_add_explicit(&version, 1, seq_cst)
#define ANY_WAITERS() atomic_load_explicit(&waiters, acquire)
#else
#define REGISTER() (atomic_fetch_add_explicit(&waiters, 1, relaxed), atomic_thread_fence(seq_cst))
#define CHANGE() atomic_fetch_add_explicit(&version, 1, seq_cst)
#ifdef FIXED
#define ANY_WAITERS() (atomic_thread_fence(seq_cst), atomic_load_explicit(&waiters, relaxed))
#else
#define ANY_WAITERS() atomic_load_explicit(&waiters, relaxed)
#endif
#endif

static void *wait(void *unused) {
  while (atomic_load_explicit(&value, acquire) == 0) {
    int seen = atomic_load_explicit(&version, acquire);
    REGISTER();
    if (atomic_load_explicit(&value, acquire) == 0) futex_wait(&version, seen);
    atomic_fetch_sub_explicit(&waiters, 1, release);
  }
  return unused;
}

int main(void) {
  pthread_t thread = start(wait);
  atomic_store_explicit(&value, 1, release);
  CHANGE();
  if (ANY_WAITERS() > 0) futex_wake(&version, 1);
  pthread_join(thread, 0);
}

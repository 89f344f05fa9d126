/*
 * Waiting for an atomic object of C++ to change. By the standard a wait ends when the value has changed, and it was notified after that or woke up
 * for no reason. So a wait has two forms, and which one it has is a choice of the search. Most waits are loops that read the value: that is
 * every behaviour that a wait can have, apart from never ending (include/c++/__atomic/atomic_sync.h). A sleeping wait reads the value
 * again only after a notification: it never ends if one is missing.
 *
 * A notification is a store of a value that no other has, and not a fence: the standard does not make it one. It releases, so that who
 * wakes up sees the change; what else that orders is not ordered in the other form, so it hides nothing.
 *
 * notify_one wakes everybody, which it may.
 */
#include <fencepost/atomic-wait.h>
#include <fencepost/library.h>

enum { PLACES = 61, HANDLES = 512 };
/* Reports say that a thread waits for this. */
static int notification[PLACES];
static __thread int sent;

static int *notice_of(const volatile void *object) { return &notification[(__UINTPTR_TYPE__)object / 4 % PLACES]; }

/* Whether this wait is a sleeping one. Its own notifications have arrived then: one that came late would replace another's. */
int __fencepost_sleeps(void) {
  int sleeps = __fencepost_choose(2);
  if (sleeps) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return sleeps;
}

int __fencepost_last_notice(const volatile void *object) { return __atomic_load_n(notice_of(object), __ATOMIC_ACQUIRE); }

void __fencepost_await_notice(const volatile void *object, int last) {
  __fencepost_await_ne_none_acquire(notice_of(object), last, 0);
}

void __fencepost_notify(const volatile void *object) {
  int number = __fencepost_glance(&sent) + 1;
  __fencepost_idle_poke(&sent, number);
  __fencepost_notice(notice_of(object), number * HANDLES + __fencepost_self() % HANDLES);
}

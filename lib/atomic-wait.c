/*
 * Waiting for a C++ atomic object to change. By the standard, a wait ends when the value has changed and the thread was
 * notified after that or woke spuriously. So a wait has two forms; the search chooses. Most waits are loops that read
 * the value: they have every behaviour of a wait except never ending (include/c++/__atomic/atomic_sync.h). A sleeping
 * wait reads the value again only after a notification: it never ends if one is missing.
 *
 * A notification stores a unique value, and is not a fence, since the standard does not make it one. It releases, so
 * that a woken thread sees the change; what else that orders is not ordered in the other form, so it hides nothing.
 *
 * notify_one wakes at least one waiting thread, so it has two forms, too: it wakes all, as notify_all does, or exactly
 * one. The latter, a read-modify-write, finds errors due to threads that sleep on, the former those due to the missing
 * fence. The first of the threads that slept before it takes it; each takes the oldest that it can.
 */
#include <fencepost/atomic-wait.h>
#include <fencepost/library.h>

/* Objects whose addresses differ by a multiple of this share a place: waits for one also wake up for the other. */
enum { PLACES = 4093, HANDLES = 512 };
/* Reports name this as awaited. 0; positive if all are notified; or the negated address of a `single`. */
static int notification[PLACES];
static __thread int sent;
/* How many threads have ever slept. */
static int sleepers;
static __thread int has_slept;
__thread struct __fencepost_atomic_operation __fencepost_atomic_operation;

/* A notification of one thread. All addresses of memory fit an int. */
struct single {
  int is_taken;
  /* The notification that it replaced. */
  int previous;
  int object;
  /* The object's value. */
  int low, high;
};

static int *notice_of(const volatile void *object) { return &notification[(__UINTPTR_TYPE__)object % PLACES]; }

static void begin(int kind, const volatile void *object, int bytes, int is_number) {
  __fencepost_idle_poke(&__fencepost_atomic_operation.object, (int)(long)object);
  __fencepost_idle_poke(&__fencepost_atomic_operation.kind, kind);
  __fencepost_idle_poke(&__fencepost_atomic_operation.bytes, bytes);
  __fencepost_idle_poke(&__fencepost_atomic_operation.is_number, is_number);
}
static void end(void) { __fencepost_idle_poke(&__fencepost_atomic_operation.object, 0); }

/* A sleeping wait's own notifications must have arrived: a late one would wake it. */
int __fencepost_begin_wait(const volatile void *object, int bytes, int is_number) {
  begin(__FENCEPOST_WAITS, object, bytes, is_number);
  if (!__fencepost_choose(2)) return 0;
  if (__fencepost_glance(&sent)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return 1;
}

int __fencepost_last_notice(const volatile void *object) { return __atomic_load_n(notice_of(object), __ATOMIC_ACQUIRE); }

/*
 * A thread that began to wait at this value can be woken once the object has another one. By the standard also if it
 * only had another one in between; but then the thread would find the same value and wait again.
 */
static int is_eligible(struct single *one, const volatile void *object, unsigned long long old) {
  if (__fencepost_glance(&one->object) != (int)(long)object) return 0;
  return __fencepost_glance(&one->low) != (int)old || __fencepost_glance(&one->high) != (int)(old >> 32);
}

/* Whether one of the notifications after `last`, up to `notice`, is for this thread. */
static int takes(const volatile void *object, unsigned long long old, int last, int notice) {
  if (notice == last) return 0;
  if (notice >= 0) return 1;
  struct single *one = (struct single *)(long)-notice;
  if (takes(object, old, last, __fencepost_glance(&one->previous))) return 1;
  return is_eligible(one, object, old) && __fencepost_try_eq_xchg_acquire(&one->is_taken, 0, 1) == 0;
}

void __fencepost_await_notice(const volatile void *object, unsigned long long old, int last) {
  /* Not before the value has been read: a wait is not a fence. */
  if (!__fencepost_glance(&has_slept)) {
    __fencepost_poke(&has_slept, 1);
    __atomic_fetch_add(&sleepers, 1, __ATOMIC_SEQ_CST);
  }
  for (;;) {
    int notice = __fencepost_await_ne_none_acquire(notice_of(object), last, 0);
    if (takes(object, old, last, notice)) return;
    last = notice;
  }
}

void __fencepost_end_wait(void) { end(); }

void __fencepost_notify(const volatile void *object) {
  int number = __fencepost_glance(&sent) + 1;
  __fencepost_idle_poke(&sent, number);
  __fencepost_notice(notice_of(object), number * HANDLES + __fencepost_self() % HANDLES);
  end();
}
void __fencepost_notify_all(const volatile void *object) {
  begin(__FENCEPOST_NOTIFIES_ALL, object, 0, 0);
  __fencepost_notify(object);
}

/* If only one thread sleeps, notify_all does the same. */
int __fencepost_begin_notify_one(const volatile void *object) {
  begin(__FENCEPOST_NOTIFIES_ONE, object, 0, 0);
  if (!__fencepost_choose(2)) return 0;
  __fencepost_covered(__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) >= 2);
  return 1;
}

void __fencepost_notify_one(const volatile void *object, unsigned long long value) {
  struct single *one = __fencepost_keep(sizeof *one);
  int previous = __atomic_load_n(notice_of(object), __ATOMIC_ACQUIRE);
  __fencepost_poke(&one->object, (int)(long)object);
  __fencepost_poke(&one->low, (int)value);
  __fencepost_poke(&one->high, (int)(value >> 32));
  __fencepost_poke(&one->previous, previous);
  /* If another notification came in between, another execution reads that one. */
  __fencepost_covered(__atomic_compare_exchange_n(notice_of(object), &previous, -(int)(long)one, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  end();
}

/*
 * The runtime behind `fencepost record`: the functions that a program compiled with -fsanitize=thread calls at every
 * memory access, and those that it calls in place of pthread's. It writes the log that `fencepost monitor` reads.
 *
 * What the log says. Events are in the order of their *tickets*, which is the order of a sequentially consistent
 * execution: the one that was recorded.
 *
 *  1. The hook of a plain access runs before the access. It takes the *stripe* of the address, a lock, then a ticket,
 *     and the thread keeps the stripe until its next hook of any kind: by then the access is done, because no compiler
 *     moves an access across a call of an unknown function. Atomic operations are done here, with the stripe held.
 *  2. So two accesses of the same byte hold the same stripe, one after the other, and each took its ticket while it
 *     held it: their tickets are in the order of the accesses. A thread takes its tickets in program order.
 *  3. Every access is inside a critical section of the lock of its bytes. Stripes are taken with acquire and released
 *     with release, so the recorded program has no data race among these accesses, and hence only sequentially
 *     consistent executions, on every machine. The values that the program saw are those given by the log's order.
 *  4. Locks, semaphores and the like are recorded after they were taken and before they are released. So the log never
 *     has two holders, and one thread's release precedes another's acquisition.
 *
 * No hook waits while it holds a stripe, except for higher-numbered ones, so hooks do not block each other for ever. A
 * thread may stop outside hooks while it holds one: in a system call, or in a long computation. The next thread in line
 * takes the stripe away, but only if the access is known to be done (stripes.c); otherwise the log ends there.
 *
 * Not guaranteed: code that was not compiled with -fsanitize=thread is not recorded, nor is inline assembly, including
 * its fences, nor accesses of sizes other than 1, 2, 4, 8 and 16 bytes that get no hook from the compiler. An access
 * that faults is recorded where it was tried. Events missing from a log can hide violations and cause false ones.
 *
 * record.c includes all other files: the runtime is one object. GNU C, Linux with glibc.
 */
#ifndef FENCEPOST_RECORD_H
#define FENCEPOST_RECORD_H

#ifndef __linux__
#error "fencepost record needs Linux"
#endif

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <ucontext.h>

/* Functions that the program calls. */
#define EXPORTED __attribute__((visibility("default"), used))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* Operations and orders by their numbers in a log, docs/monitor.md. */
enum operation {
  LOAD = 1, STORE = 2, RMW = 4, FENCE = 5, SPAWN = 7, JOIN = 8, LOCK = 9, UNLOCK = 11, WAIT = 12, SIGNAL = 13,
  BROADCAST = 14, FREE = 15, WAKE = 19, DESTROY = 20, INIT = 21, ALLOC = 22, MODULE = 0xf2
};
enum order { PLAIN, VOLATILE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum { WROTE = 1, SUCCEEDED = 2, AWAITED = 4 };
enum { PREDICATE_EQ = 0 };
enum { NOBODY = 0xffff };

struct event {
  uint8_t operation, order, flags;
  uint16_t other;
  uint32_t size;
  uint64_t address, value;
};

enum { STRIPES = 4096, GRANULE_BITS = 6, SIGNALS = 65, LOCKS = 64 };

struct hold {
  uint32_t stripe;
  _Atomic uint32_t turn;
};

/* The runtime's record of a thread. These are never freed, so that other threads may always read them. */
struct self {
  uint32_t number;
  pid_t tid;
  pthread_t thread;
  /* Inside the runtime. Other threads check this before they take a stripe away. */
  _Atomic int inside;
  /* The stripes it holds, `held` of them, are in `holds`: `few`, or `many` once it has needed more. */
  _Atomic uint32_t held;
  struct hold few[2];
  struct hold *many;
  struct hold *_Atomic holds;
  /* The stripe it took last, its turn then, and how often it has stood back for others. */
  uint32_t last_stripe, last_turn, politeness;
  /* Where it writes: a chunk of the log, and how many records it has put there. */
  uint64_t chunk;
  unsigned char *base;
  uint32_t written;
  /* The last place in instrumented code. */
  uintptr_t place;
  /* Mutexes that it holds according to the log, with repetitions; not all, if there ever were too many. */
  uint32_t locks;
  int has_more_locks;
  const void *locked[LOCKS];
  /* Signals whose handlers have not run yet. */
  _Atomic uint64_t pending;
  siginfo_t signals[SIGNALS];
  ucontext_t interrupted;
  /* Waits on a condition variable: inside until it has the mutex again, so that nothing else is recorded. */
  int is_waiting;
  int is_detached, has_ended, passes;
  struct self *next;
};

/* threads.c: this thread, registered if necessary; NULL if it is not recorded. */
static struct self *me(void);
static struct self *known_self(void);
/* threads.c: a thread that is not registered stays so until `record_again`, which takes what this returns. */
static int record_nothing_yet(void);
static void record_again(int state);
/* stripes.c */
static void take(struct self *self, uintptr_t address, size_t size);
static void take_both(struct self *self, uintptr_t first, uintptr_t second, size_t size);
static void let_go(struct self *self);
/* signals.c */
static void run_pending(struct self *self);
/* log.c */
static void put(struct self *self, struct event event, uintptr_t place);
static void stop(const char *why);
/* sites.c */
static uint32_t site_of(struct self *self, uintptr_t place);

/*
 * Everything here is between `enter` and `leave`. `enter` completes the last access, and runs signal handlers that had
 * to wait for it; it returns NULL if the thread is already inside, or is no longer recorded.
 */
static inline struct self *enter(void) {
  struct self *self = me();
  if (UNLIKELY(!self || self->inside)) return NULL;
  atomic_store_explicit(&self->inside, 1, memory_order_relaxed);
  let_go(self);
  if (UNLIKELY(atomic_load_explicit(&self->pending, memory_order_relaxed))) run_pending(self);
  return self;
}

/* Stripes stay held until the next `enter`. */
static inline void leave(struct self *self) { atomic_store_explicit(&self->inside, 0, memory_order_release); }

/* The function that this one intercepts. */
static void *next_function(void *_Atomic *kept, const char *name);
#define REAL(name)                                                           \
  ({                                                                         \
    static void *_Atomic fencepost_kept;                                     \
    (__typeof__(&name))next_function(&fencepost_kept, #name);                \
  })

#endif

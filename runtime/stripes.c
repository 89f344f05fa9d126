/*
 * Stripes: a lock for each class of addresses, in granules of a cache line. Any thread may take a free stripe; but a
 * thread that has just released one for which others wait stands back a little, so that a thread reading a variable in
 * a loop does not keep out the one that writes it.
 *
 * A thread keeps its stripe until its next hook. If it stops before that, a waiting thread takes the stripe away: its
 * turn moves on, and the owner finds out at its next hook. This is sound only if the access is done. We know that it is
 *
 *  - if the thread has left the hook and sleeps in a system call: an access is not reordered with a later system call,
 *    and a sleeping thread has drained its store buffer. A thread that sleeps in a page fault is not in a system call,
 *    and /proc distinguishes the two;
 *  - if the thread has used a fifth of a second of processor time since it left the hook: the access is among the next
 *    instructions. (A page fault that long would be misjudged; the kernel's take microseconds.)
 *
 * A thread that merely is not scheduled is waited for. If there is no /proc, recording ends after ten seconds: the log
 * up to there is still valid.
 */

static struct stripe {
  /* Odd while it is held. */
  _Alignas(64) _Atomic uint32_t turn;
  _Atomic uint32_t waiting;
  struct self *_Atomic holder;
} stripes[STRIPES];

/* Recording was cut short: no thread waits any more. */
static _Atomic int is_free_for_all;

enum { SPINS = 4000, NAP = 50000, POLITE_SPINS = 300, POLITE_YIELD = 16 };
enum { BUSY_MILLISECONDS = 200, PATIENCE_MILLISECONDS = 10000 };

/* Whether the thread has left the hook in which it took this turn of the stripe, and has not reached another. */
static int holds_outside(struct self *holder, uint32_t stripe, uint32_t turn) {
  if (!holder) return 0;
  uint32_t held = atomic_load_explicit(&holder->held, memory_order_acquire);
  struct hold *holds = atomic_load_explicit(&holder->holds, memory_order_acquire);
  int found = 0;
  for (uint32_t i = 0; i < held && !found; i++)
    found = holds[i].stripe == stripe && atomic_load_explicit(&holds[i].turn, memory_order_acquire) == turn;
  return found && !atomic_load_explicit(&holder->inside, memory_order_acquire);
}

/* 1: sleeps in a system call; 0: does not; -1: unknown. */
static int sleeps_in_call(pid_t tid) {
  char text[64];
  snprintf(text, sizeof text, "/proc/self/task/%d/syscall", (int)tid);
  int file = (int)syscall(SYS_openat, AT_FDCWD, text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  long length = syscall(SYS_read, file, text, sizeof text);
  syscall(SYS_close, file);
  return length <= 0 ? -1 : text[0] >= '0' && text[0] <= '9';
}

struct patience {
  uint64_t busy, since;
  int has_begun;
};

static inline void pass_on(struct stripe *stripe, uint32_t turn) {
  atomic_compare_exchange_strong_explicit(&stripe->turn, &turn, turn + 1, memory_order_release, memory_order_relaxed);
}

/* Takes the stripe away from its holder, if the access is done. */
static void take_away(struct stripe *stripe, uint32_t turn, struct patience *patience) {
  struct self *holder = atomic_load_explicit(&stripe->holder, memory_order_acquire);
  uint32_t number = (uint32_t)(stripe - stripes);
  if (!holds_outside(holder, number, turn)) return;
  clockid_t clock;
  uint64_t busy = pthread_getcpuclockid(holder->thread, &clock) ? 0 : milliseconds(clock);
  uint64_t now = milliseconds(CLOCK_MONOTONIC);
  if (!patience->has_begun) *patience = (struct patience){busy, now, 1};
  int sleeps = sleeps_in_call(holder->tid);
  if (!holds_outside(holder, number, turn)) return;
  if (sleeps == 1 || busy - patience->busy >= BUSY_MILLISECONDS) pass_on(stripe, turn);
  else if (sleeps < 0 && now - patience->since >= PATIENCE_MILLISECONDS) {
    stop("a thread stopped between its accesses, and cannot be watched: /proc is needed");
    atomic_store(&is_free_for_all, 1);
  }
}

/* Odd if the stripe is ours now. */
static inline uint32_t try_stripe(struct stripe *stripe) {
  uint32_t turn = atomic_load_explicit(&stripe->turn, memory_order_relaxed);
  if (turn & 1) return 0;
  return atomic_compare_exchange_strong_explicit(&stripe->turn, &turn, turn + 1, memory_order_acquire, memory_order_relaxed)
             ? turn + 1
             : 0;
}

static uint32_t wait_for_stripe(struct stripe *stripe) {
  struct patience patience = {0, 0, 0};
  uint32_t turn, seen = 0;
  atomic_fetch_add_explicit(&stripe->waiting, 1, memory_order_relaxed);
  for (unsigned round = 0; !(turn = try_stripe(stripe)); round++) {
    if (atomic_load_explicit(&is_free_for_all, memory_order_relaxed)) break;
    if (round < SPINS) {
      relax();
      continue;
    }
    uint32_t now = atomic_load_explicit(&stripe->turn, memory_order_acquire);
    if (now != seen) patience.has_begun = 0;
    seen = now;
    if (now & 1) take_away(stripe, now, &patience);
    if (atomic_load_explicit(&stripe->turn, memory_order_relaxed) & 1) nap(NAP);
  }
  atomic_fetch_sub_explicit(&stripe->waiting, 1, memory_order_relaxed);
  return turn;
}

/* If others wait for the stripe that this thread held last, lets one of them go first. */
static void stand_back(struct self *self, struct stripe *stripe) {
  for (int i = 0; i < POLITE_SPINS; i++) {
    if (atomic_load_explicit(&stripe->turn, memory_order_relaxed) != self->last_turn + 1) return;
    relax();
  }
  if (++self->politeness % POLITE_YIELD == 0) yield();
}

static inline void take_stripe(struct self *self, struct hold *hold, uint32_t number) {
  struct stripe *stripe = &stripes[number];
  if (UNLIKELY(atomic_load_explicit(&stripe->waiting, memory_order_relaxed)) && self->last_stripe == number)
    stand_back(self, stripe);
  uint32_t turn = try_stripe(stripe);
  if (UNLIKELY(!turn)) turn = wait_for_stripe(stripe);
  self->last_stripe = hold->stripe = number;
  self->last_turn = turn;
  atomic_store_explicit(&hold->turn, turn, memory_order_release);
  atomic_store_explicit(&stripe->holder, self, memory_order_release);
}

static void let_go_of_all(struct self *self) {
  struct hold *holds = atomic_load_explicit(&self->holds, memory_order_relaxed);
  uint32_t held = atomic_exchange_explicit(&self->held, 0, memory_order_relaxed);
  for (uint32_t i = 0; i < held; i++)
    pass_on(&stripes[holds[i].stripe], atomic_load_explicit(&holds[i].turn, memory_order_relaxed));
}

static inline void let_go(struct self *self) {
  if (atomic_load_explicit(&self->held, memory_order_relaxed)) let_go_of_all(self);
}

/* The stripes of a set, in ascending order. */
static void take_set(struct self *self, const uint64_t *set) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < STRIPES / 64; i++) count += (uint32_t)__builtin_popcountll(set[i]);
  struct hold *holds = self->few;
  if (count > 2) {
    if (!self->many) self->many = reserve(STRIPES * sizeof *self->many);
    if (!self->many) {
      stop("there is no memory");
      return;
    }
    holds = self->many;
  }
  atomic_store_explicit(&self->holds, holds, memory_order_release);
  uint32_t taken = 0;
  for (uint32_t i = 0; i < STRIPES / 64; i++)
    for (uint64_t rest = set[i]; rest; rest &= rest - 1)
      take_stripe(self, &holds[taken++], i * 64 + (uint32_t)__builtin_ctzll(rest));
  atomic_store_explicit(&self->held, taken, memory_order_release);
}

static void add_to_set(uint64_t *set, uintptr_t address, size_t size) {
  uintptr_t last = (address + size - 1) >> GRANULE_BITS;
  uintptr_t count = last - (address >> GRANULE_BITS) + 1;
  if (count > STRIPES) count = STRIPES;
  for (uintptr_t i = 0; i < count; i++, last--) set[(last % STRIPES) / 64] |= 1ull << (last % 64);
}

/* Takes the stripes of these bytes, until the next `let_go`. None is held before. */
static inline void take(struct self *self, uintptr_t address, size_t size) {
  uintptr_t granule = address >> GRANULE_BITS;
  if (UNLIKELY(size == 0)) return;
  if (UNLIKELY((address + size - 1) >> GRANULE_BITS != granule)) {
    uint64_t set[STRIPES / 64] = {0};
    add_to_set(set, address, size);
    take_set(self, set);
    return;
  }
  atomic_store_explicit(&self->holds, self->few, memory_order_relaxed);
  take_stripe(self, &self->few[0], granule % STRIPES);
  atomic_store_explicit(&self->held, 1, memory_order_release);
}

/* The same for two pieces of memory of the same size. */
static void take_both(struct self *self, uintptr_t first, uintptr_t second, size_t size) {
  uint64_t set[STRIPES / 64] = {0};
  if (size == 0) return;
  add_to_set(set, first, size);
  add_to_set(set, second, size);
  take_set(self, set);
}

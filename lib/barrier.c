/*
 * Barriers. The words: a mark once the barrier is initialised, a count of arrivals that is never reset, the number of
 * threads in a round, and where its gate is. Before all threads leave, the first may have destroyed and freed the barrier, or
 * initialised it again, so every initialisation has a gate in memory that is never freed. All addresses of memory fit an int.
 *
 * A thread passes the gate in one of two ways (docs/decisions/0038-barriers.md):
 *
 *   in order   The thread that completes a round opens the gate and does not wait; the others wait for that.
 *   merged     All threads of a round add one to its count, and wait until all have. Nobody does anything special, so the order
 *              of arrivals matters only to those who ask who was last. A thread's round is how often it has been here, which is
 *              true as long as there are not more threads than places: else the search begins again, in order.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

enum { ROUND, ARRIVED, MARK, GATE };
enum { DESTROYED = -1 };

/* What a thread has finished with once it has arrived: all but the gate. */
enum { BEFORE_GATE = GATE * sizeof(int) };

struct gate {
  /* In order: the arrivals of complete rounds. */
  int open;
  /* Merged: the arrivals of even rounds and of odd ones. */
  int counts[2];
  /* Threads that have arrived. */
  int users;
  /* Where the barrier is; a copy of it is another one. */
  int barrier;
};

/* Set by the search, and by executions that must be searched in order. */
int __fencepost_merges_arrivals = 0;
int __fencepost_needs_order = 0;

/* In the step of an operation on the arrivals, like all that looks at it. */
static struct gate *make_gate(pthread_barrier_t *barrier) {
  struct gate *gate = __fencepost_keep(sizeof *gate);
  __fencepost_poke(&gate->barrier, (int)(long)barrier);
  __fencepost_poke(&barrier->__words[GATE], (int)(long)gate);
  return gate;
}

static struct gate *gate_of(pthread_barrier_t *barrier) {
  return (struct gate *)(long)__fencepost_glance(&barrier->__words[GATE]);
}

static int is_copy(pthread_barrier_t *barrier, struct gate *gate) {
  return __fencepost_glance(&gate->barrier) != (int)(long)barrier;
}

static int check(int round) {
  if (round == DESTROYED) __fencepost_misuse("use of a barrier that has been destroyed");
  if (round <= 0) __fencepost_misuse("use of a barrier that has not been initialised");
  return round;
}

/* Initialising a barrier is no step that its users are ordered with, so reading this is a step. */
static int round_of(pthread_barrier_t *barrier) {
  return check(__atomic_load_n(&barrier->__words[ROUND], __ATOMIC_RELAXED));
}

/* After an operation on the arrivals: it may have been destroyed in the meantime. */
static void check_again(pthread_barrier_t *barrier) { check(__fencepost_glance(&barrier->__words[ROUND])); }

/*
 * A block's local variable is a new object each time the block is entered, at the same address; the old one need not
 * have been destroyed. So for a barrier that is not static, this is an error only if a thread waits.
 */
static void check_first(pthread_barrier_t *barrier, int arrived) {
  int round = __fencepost_look(&barrier->__words[ROUND]);
  if (round <= 0 || __fencepost_look(&barrier->__words[MARK]) != __FENCEPOST_INITIALISED) return;
  if (arrived % round != 0) __fencepost_misuse("initialisation of a barrier that a thread waits at");
  if (__fencepost_is_static(barrier)) __fencepost_misuse("initialisation of a barrier that is initialised already");
}

/* Once there are other threads, what is there may change before the next step: then it is always stored. */
static void assign(volatile int *word, int value) {
  if (__fencepost_glance(word) != value || __fencepost_glance(&__fencepost_threaded)) *word = value;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (count == 0 || (int)count < 0) return EINVAL;
  int arrived = __atomic_load_n(&barrier->__words[ARRIVED], __ATOMIC_RELAXED);
  make_gate(barrier);
  check_first(barrier, arrived);
  __fencepost_initialised(barrier, BEFORE_GATE);
  assign(&barrier->__words[MARK], __FENCEPOST_INITIALISED);
  assign(&barrier->__words[ARRIVED], 0);
  assign(&barrier->__words[ROUND], (int)count);
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  int round = round_of(barrier);
  __fencepost_destroy(&barrier->__words[ARRIVED]);
  check_again(barrier);
  int arrived = __fencepost_glance(&barrier->__words[ARRIVED]);
  if (arrived % round != 0) __fencepost_misuse("destruction of a barrier that a thread waits at");
  __fencepost_destroyed(barrier, BEFORE_GATE);
  __fencepost_mark_destroyed(&barrier->__words[ROUND], DESTROYED);
  return 0;
}

/* The barriers that a thread has used, and how often: twice the number of rounds, and one more while it is in one. */
enum { MOST_USED = 16 };
struct use {
  int barrier, gate, rounds;
};
static __thread struct use used[MOST_USED];

/* Null if it has used too many. */
static struct use *find_use(pthread_barrier_t *barrier) {
  for (struct use *use = used; use < used + MOST_USED; use++) {
    int known = __fencepost_glance(&use->barrier);
    if (known == (int)(long)barrier || known == 0) return use;
  }
  return 0;
}

static void need_order(void) { __fencepost_poke(&__fencepost_needs_order, 1); }

/* The thread arrives, which it has just counted. Returns where its round is counted. */
static int *enter(pthread_barrier_t *barrier, int round) {
  check_again(barrier);
  struct gate *gate = gate_of(barrier);
  struct use *use = find_use(barrier);
  if (!use) {
    need_order();
    return &gate->counts[0];
  }
  if (__fencepost_glance(&use->gate) != (int)(long)gate) {
    __fencepost_poke(&use->barrier, (int)(long)barrier);
    __fencepost_poke(&use->gate, (int)(long)gate);
    __fencepost_poke(&use->rounds, 0);
    int users = __fencepost_glance(&gate->users) + 1;
    __fencepost_poke(&gate->users, users);
    if (users > round || is_copy(barrier, gate)) need_order();
  }
  int rounds = __fencepost_glance(&use->rounds);
  /* In a handler of a signal, while it waits. */
  if (rounds & 1) need_order();
  __fencepost_poke(&use->rounds, rounds + 1);
  return &gate->counts[rounds >> 1 & 1];
}

/* What the count of the thread's round is when all have arrived. */
static int full(pthread_barrier_t *barrier, int round) {
  struct use *use = find_use(barrier);
  return use ? ((__fencepost_glance(&use->rounds) >> 2) + 1) * round : round;
}

/* Returns the ticket of whoever was last. */
static int leave(pthread_barrier_t *barrier, int round) {
  struct use *use = find_use(barrier);
  if (!use) return 0;
  int rounds = __fencepost_glance(&use->rounds);
  __fencepost_poke(&use->rounds, rounds + 1);
  return ((rounds >> 1) + 1) * round - 1;
}

/* In order: the gate, after an arrival with this ticket. A copy of a barrier gets one of its own. */
static int *gate_for(pthread_barrier_t *barrier, int ticket, int round) {
  check_again(barrier);
  struct gate *gate = gate_of(barrier);
  if (is_copy(barrier, gate)) {
    gate = make_gate(barrier);
    __fencepost_poke(&gate->open, ticket - ticket % round);
  }
  return &gate->open;
}

/* How many arrivals end the round of this one. */
static int end_of(int ticket, int round) { return (ticket / round + 1) * round; }

/*
 * Short enough to become part of its caller: then it is known whether anybody asks who was last, and uses the ticket; and
 * operations that commute are seen as such.
 */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int round = round_of(barrier), *arrived = &barrier->__words[ARRIVED];
  if (__fencepost_glance(&__fencepost_merges_arrivals)) {
    int ticket = __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
    int *count = enter(barrier, round);
    int end = full(barrier, round);
    __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL);
    __fencepost_await_sge_none_acquire(count, end, 0);
    return -(ticket == leave(barrier, round));
  }
  int ticket = __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
  int *gate = gate_for(barrier, ticket, round);
  int end = end_of(ticket, round);
  if (ticket + 1 == end) {
    __atomic_fetch_add(gate, round, __ATOMIC_ACQ_REL);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  __fencepost_await_sge_none_acquire(gate, end, 0);
  return 0;
}

/* Whether the barrier is shared is only stored: there is one process. A step, since attributes are the program's memory. */
int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  *(volatile int *)attributes = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  *(volatile int *)attributes = shared;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared) {
  *shared = *(const volatile int *)attributes;
  return 0;
}

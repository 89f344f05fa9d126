/*
 * Barriers. Their words: the address of the barrier's gate, and a mark. Before all threads have left, the first may
 * have destroyed and freed the barrier, or reinitialised it, so every initialisation has its own gate, in memory that
 * is never freed. All addresses of memory fit an int.
 *
 * A thread passes the gate in one of two ways (docs/decisions/0038-barriers.md):
 *
 *   in order   An arrival takes a number; the last of a round opens the gate without waiting; the others wait for that.
 *   merged     All threads of a round add one to its count, and wait until all have. No thread is special, so the order
 *              of arrivals matters only to those that check which was last. A thread's round is how often it has been
 *              here, which is true as long as there are not more threads than places.
 *
 * The merged way is only for proofs: any error, and anything that it cannot do, makes the search restart in order.
 *
 * What may change while a thread is here is accessed by steps: the barrier's first word, and the counts. A thread may
 * reach a gate after the barrier was destroyed, having read its address before; in another execution it reads it later.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

enum { GATE, MARK, WORDS };
enum { DESTROYED = -1 };

struct gate {
  /* The barrier that threads at this gate wait for. */
  int barrier;
  /* In order: the arrivals of complete rounds, and all arrivals. */
  int open, arrived;
  /* Merged: the arrivals of even and of odd rounds. */
  __extension__ union {
    int counts[2];
    long long both __attribute__((__aligned__(8)));
  };
  /* Merged: how many threads have come. */
  int users;
  /* Threads in a round. */
  int round;
  /* Marks this as a gate. */
  int mark;
};

/* Set by the search. */
int __fencepost_merges_arrivals = 0;

static int is_merged(void) { return __fencepost_glance(&__fencepost_merges_arrivals); }

static void need_order(void) { __fencepost_misuse("a barrier needs the order of arrivals"); }

/* No other object at this address has this mark. */
static int mark_of(int gate) { return gate ^ __FENCEPOST_INITIALISED; }

/* What is not a gate never becomes one, whatever other threads do. */
static int check(int gate) {
  if (gate == DESTROYED) __fencepost_misuse("use of a barrier that has been destroyed");
  if (gate == 0 || __fencepost_glance(&((struct gate *)(long)gate)->mark) != mark_of(gate))
    __fencepost_misuse("use of a barrier that has not been initialised");
  return gate;
}

static struct gate *gate_of(pthread_barrier_t *barrier) {
  return (struct gate *)(long)check(__atomic_load_n(&barrier->__words[GATE], __ATOMIC_RELAXED));
}

static int round_of(struct gate *gate) { return __fencepost_glance(&gate->round); }

/*
 * A block's local variable is a new object each time the block is entered, at the same address; the old one need not
 * have been destroyed. So for a barrier that is not static, this is an error only if a thread waits.
 */
static void check_first(pthread_barrier_t *barrier, int old) {
  if (old == 0 || __fencepost_look(&barrier->__words[MARK]) != mark_of(old)) return;
  if (is_merged()) need_order();
  struct gate *gate = (struct gate *)(long)old;
  if (__fencepost_look(&gate->arrived) % round_of(gate) != 0)
    __fencepost_misuse("initialisation of a barrier that a thread waits at");
  if (__fencepost_is_static(barrier)) __fencepost_misuse("initialisation of a barrier that is initialised already");
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (count == 0 || (int)count < 0) return EINVAL;
  check_first(barrier, __atomic_load_n(&barrier->__words[GATE], __ATOMIC_RELAXED));
  __fencepost_initialised(barrier, WORDS * sizeof(int));
  struct gate *gate = __fencepost_keep(sizeof *gate);
  int address = (int)(long)gate;
  __fencepost_poke(&gate->barrier, (int)(long)barrier);
  __fencepost_poke(&gate->round, (int)count);
  __fencepost_poke(&gate->mark, mark_of(address));
  barrier->__words[MARK] = mark_of(address);
  barrier->__words[GATE] = address;
  return 0;
}

/* All arrivals, or as many modulo the round. */
static int arrivals(struct gate *gate) {
  if (!is_merged()) return __atomic_load_n(&gate->arrived, __ATOMIC_RELAXED);
  long long both = __atomic_load_n(&gate->both, __ATOMIC_RELAXED);
  return (int)both + (int)(both >> 32);
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  struct gate *gate = gate_of(barrier);
  if (arrivals(gate) % round_of(gate) != 0) __fencepost_misuse("destruction of a barrier that a thread waits at");
  __fencepost_destroyed(barrier, WORDS * sizeof(int));
  barrier->__words[GATE] = DESTROYED;
  return 0;
}

/* The gates that a thread has used, and how often: twice the number of rounds, and one more while it is in one. */
enum { MOST_USED = 16 };
struct use {
  int gate, rounds;
};
static __thread struct use used[MOST_USED];

/* The thread's use of the gate; a new one if it has none. */
static struct use *find_use(struct gate *gate) {
  struct use *use = used;
  while (use < used + MOST_USED && __fencepost_glance(&use->gate) != (int)(long)gate && __fencepost_glance(&use->gate) != 0) use++;
  if (use == used + MOST_USED) need_order();
  return use;
}

/* Merged: the thread is about to arrive. Returns where its round is counted. */
static int *enter(struct gate *gate) {
  struct use *use = find_use(gate);
  int rounds = __fencepost_glance(&use->rounds);
  if (__fencepost_glance(&use->gate) == 0) {
    __fencepost_poke(&use->gate, (int)(long)gate);
    int users = __fencepost_glance(&gate->users) + 1;
    __fencepost_poke(&gate->users, users);
    if (users > round_of(gate)) need_order();
  }
  /* In a signal handler that runs while the thread waits. */
  if (rounds & 1) need_order();
  __fencepost_poke(&use->rounds, rounds + 1);
  return &gate->counts[rounds >> 1 & 1];
}

/* The count of the thread's round once all have arrived. */
static int full(struct gate *gate) { return ((__fencepost_glance(&find_use(gate)->rounds) >> 2) + 1) * round_of(gate); }

static void leave(struct gate *gate) {
  struct use *use = find_use(gate);
  __fencepost_poke(&use->rounds, __fencepost_glance(&use->rounds) + 1);
}

/* In order: the number of arrivals that ends this one's round. */
static int end_of(struct gate *gate, int ticket) { return (ticket / round_of(gate) + 1) * round_of(gate); }

/*
 * Short enough to be inlined: then it is known whether the caller checks which thread was last, and operations that
 * commute are recognised.
 */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct gate *gate = gate_of(barrier);
  if (is_merged()) {
    int *count = enter(gate), end = full(gate);
    int ticket = __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL);
    __fencepost_await_sge_none_acquire(count, end, 0);
    leave(gate);
    return -(ticket + 1 == end);
  }
  int ticket = __atomic_fetch_add(&gate->arrived, 1, __ATOMIC_ACQ_REL);
  int end = end_of(gate, ticket);
  if (ticket + 1 == end) {
    __atomic_fetch_add(&gate->open, round_of(gate), __ATOMIC_ACQ_REL);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  __fencepost_await_sge_none_acquire(&gate->open, end, 0);
  return 0;
}

/* Whether it is shared is only stored: there is one process. A step, since attributes are the program's memory. */
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

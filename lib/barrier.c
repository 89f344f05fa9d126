/*
 * Barriers. The words: a mark once the barrier is initialised, a count of arrivals that is never reset, the number of
 * threads in a round, and the gate, which counts the arrivals of complete rounds. The thread that completes a round
 * gets the serial return value and does not wait; the others wait at the gate. Before they leave, the first may have
 * destroyed and freed the barrier, so the gate is in separate memory unless the barrier is static. All addresses of memory
 * fit an int.
 */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

enum { ROUND, ARRIVED, MARK, GATE };
enum { DESTROYED = -1 };

/* What a thread has finished with once it has arrived: all but the gate. */
enum { BEFORE_GATE = GATE * sizeof(int) };

static int *gate_of(pthread_barrier_t *barrier) {
  int *place = &barrier->__words[GATE];
  return __fencepost_is_static(barrier) ? place : (int *)(long)__fencepost_glance(place);
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

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (count == 0 || (int)count < 0) return EINVAL;
  check_first(barrier, __atomic_load_n(&barrier->__words[ARRIVED], __ATOMIC_RELAXED));
  __fencepost_initialised(barrier, BEFORE_GATE);
  __fencepost_set(&barrier->__words[MARK], __FENCEPOST_INITIALISED);
  __fencepost_set(&barrier->__words[ARRIVED], 0);
  __fencepost_set(&barrier->__words[ROUND], (int)count);
  if (__fencepost_is_static(barrier)) __fencepost_set(&barrier->__words[GATE], 0);
  else __fencepost_poke(&barrier->__words[GATE], (int)(long)__fencepost_keep(sizeof(int)));
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

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int round = round_of(barrier);
  int *gate = gate_of(barrier);
  int ticket = __atomic_fetch_add(&barrier->__words[ARRIVED], 1, __ATOMIC_ACQ_REL);
  check_again(barrier);
  int end = (ticket / round + 1) * round;
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

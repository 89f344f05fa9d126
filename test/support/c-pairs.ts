/**
 * One pair of programs for every kind of error: one that fails, on every schedule and under every model, and a near
 * twin that does not.
 */

export interface Pair {
  readonly wrong: string;
  readonly right: string;
  /** The result of `verdict` for the wrong one. */
  readonly says: string;
}

export const PRELUDE = `#include <assert.h>
#include <errno.h>
#include <fencepost.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static pthread_mutex_t m, n;
static pthread_cond_t c;
static pthread_rwlock_t l;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once;
static pthread_t t;
static pthread_attr_t detached;
static sem_t s, arrived;
static int x, array[4], *pointer;
static volatile int zero;
static void *nothing(void *p) { return p; }
static void *lock_m(void *p) { pthread_mutex_lock(&m); return p; }
static void *read_l(void *p) { pthread_rwlock_rdlock(&l); return p; }
static void *spin_it(void *p) { pthread_spin_lock(&spin); return p; }
static void *wait_on_c(void *p) {
  pthread_mutex_lock(&m);
  sem_post(&arrived);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return p;
}
static void *enter_barrier(void *p) { pthread_barrier_wait(&barrier); return p; }
static pthread_t main_thread;
static void *join_main(void *p) { pthread_join(main_thread, 0); return p; }
static void lock_it(pthread_mutex_t *p) { pthread_mutex_lock(p); }
static void leave_locked(void) { pthread_mutex_t local; pthread_mutex_init(&local, 0); lock_it(&local); }
static void start(void *(*f)(void *)) { pthread_create(&t, 0, f, 0); }
static void end(void) { pthread_join(t, 0); }
static void run(void *(*f)(void *)) { start(f); end(); }
static void start_waiter(void) { start(wait_on_c); sem_wait(&arrived); pthread_mutex_lock(&m); }
static void make_detached(void) { pthread_attr_init(&detached); pthread_attr_setdetachstate(&detached, 1); }
static void call_once_again(void) { pthread_once(&once, call_once_again); }
static void set_x(void) { x = 1; }
static int recurse(int depth) { int local[256]; local[depth % 256] = depth; return depth == 0 ? 0 : recurse(depth - 1) + local[0]; }
static int *of_block(int count) { int *kept = 0; for (int i = 0; i < count; i++) { int local[i + 1]; local[0] = i; kept = local; pointer = kept; } return kept; }
`;

const LOCK = 'pthread_mutex_lock(&m);';
const UNLOCK = 'pthread_mutex_unlock(&m);';

export const PAIRS: Readonly<Record<string, Pair>> = {
  assertion: { wrong: 'assert(x == 1);', right: 'assert(x == 0);', says: 'assertion: x == 1' },
  abort: { wrong: 'if (!zero) abort();', right: 'if (zero) abort();', says: 'assertion: abort called' },
  verifier_error: {
    wrong: 'if (!zero) __VERIFIER_error();',
    right: 'if (zero) __VERIFIER_error();',
    says: 'assertion: __VERIFIER_error()',
  },
  null: { wrong: '*pointer = 1;', right: 'pointer = &x; *pointer = 1;', says: 'memory: access through a null pointer' },
  bounds: {
    wrong: 'array[4 + zero] = 1;',
    right: 'array[3 + zero] = 1;',
    says: 'memory: access outside any object',
  },
  use_after_free: {
    wrong: 'int *p = malloc(4); free(p); *p = 1;',
    right: 'int *p = malloc(4); *p = 1; free(p);',
    says: 'memory: use after free',
  },
  double_free: {
    wrong: 'int *p = malloc(4); free(p); free(p);',
    right: 'int *p = malloc(4); free(p); p = 0; free(p);',
    says: 'memory: double free',
  },
  invalid_free: {
    wrong: 'char *p = malloc(8); free(p + 1 + zero);',
    right: 'char *p = malloc(8); free(p + zero);',
    says: 'memory: free of a pointer that malloc did not return',
  },
  realloc_of_freed: {
    wrong: 'int *p = malloc(4); free(p); p = realloc(p, 8); free(p);',
    right: 'int *p = malloc(4); *p = 7; p = realloc(p, 8); p[1] = 8; assert(p[0] == 7 && p[1] == 8); free(p);',
    says: 'memory: use after free',
  },
  use_after_realloc: {
    wrong: 'int *p = malloc(4), *q = p; p = realloc(p, 8); *q = 1;',
    right: 'int *p = malloc(4), *q; p = realloc(p, 8); q = p; *q = 1;',
    says: 'memory: use after free',
  },
  scope_of_block: {
    wrong: 'x = *of_block(2);',
    right: 'x = of_block(0) == 0;',
    says: 'memory: access to a local variable that has gone out of scope',
  },
  stack_overflow: { wrong: 'recurse(1000000);', right: 'recurse(5);', says: 'memory: stack overflow' },
  division_by_zero: { wrong: 'x = 7 / zero;', right: 'x = zero / 7;', says: 'misuse: division by zero' },
  unreachable: {
    wrong: 'if (!zero) __builtin_unreachable();',
    right: 'if (zero) __builtin_unreachable();',
    says: 'misuse: reached code that is declared unreachable',
  },
  bad_call: {
    wrong: 'void (*f)(void) = 0; f();',
    right: 'void (*f)(void) = set_x; f();',
    says: 'misuse: call through a pointer that is not a function with these parameters',
  },
  atomic_section: {
    wrong: '__VERIFIER_atomic_end();',
    right: '__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();',
    says: 'misuse: atomic section begun twice or ended without beginning',
  },

  unlock_of_unlocked: {
    wrong: UNLOCK,
    right: `${LOCK} ${UNLOCK}`,
    says: 'misuse: unlock of a mutex that the thread does not hold',
  },
  unlock_of_others: {
    wrong: `run(lock_m); ${UNLOCK}`,
    right: `run(nothing); ${LOCK} ${UNLOCK}`,
    says: 'misuse: unlock of a mutex that the thread does not hold',
  },
  unlock_of_others_recursive: {
    wrong: 'mtx_init(&m, mtx_recursive); run(lock_m); mtx_unlock(&m);',
    right: 'mtx_init(&m, mtx_recursive); mtx_lock(&m); mtx_lock(&m); mtx_unlock(&m); mtx_unlock(&m);',
    says: 'misuse: unlock of a mutex that the thread does not hold',
  },
  relock: {
    wrong: `${LOCK} ${LOCK}`,
    right: `${LOCK} ${UNLOCK} ${LOCK}`,
    says: 'deadlock: thread 0 waits for the lock m, held by thread 0',
  },
  destroy_of_locked: {
    wrong: `${LOCK} pthread_mutex_destroy(&m);`,
    right: `${LOCK} ${UNLOCK} pthread_mutex_destroy(&m);`,
    says: 'misuse: destruction of a mutex that is held',
  },
  lock_of_destroyed: {
    wrong: `pthread_mutex_destroy(&m); ${LOCK}`,
    right: `pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0); ${LOCK}`,
    says: 'misuse: use of a mutex that has been destroyed',
  },
  unlock_of_destroyed: {
    wrong: `pthread_mutex_destroy(&m); ${UNLOCK}`,
    right: `${LOCK} ${UNLOCK} pthread_mutex_destroy(&m);`,
    says: 'misuse: use of a mutex that has been destroyed',
  },
  mutex_destroyed_twice: {
    wrong: 'mtx_destroy(&m); mtx_destroy(&m);',
    right: 'mtx_destroy(&m); mtx_init(&m, mtx_plain); mtx_destroy(&m);',
    says: 'misuse: use of a mutex that has been destroyed',
  },
  mutex_initialised_while_held: {
    wrong: `${LOCK} pthread_mutex_init(&m, 0);`,
    right: `pthread_mutex_init(&m, 0); ${LOCK} ${UNLOCK} pthread_mutex_init(&m, 0); ${LOCK}`,
    says: 'misuse: initialisation of a mutex that is held',
  },
  mutex_initialised_while_another_holds_it: {
    wrong: 'run(lock_m); mtx_init(&m, mtx_plain);',
    right: 'mtx_init(&m, mtx_plain); run(lock_m);',
    says: 'misuse: initialisation of a mutex that is held',
  },
  mutex_initialised_during_wait: {
    wrong: `start_waiter(); ${UNLOCK} pthread_mutex_init(&m, 0);`,
    right: `start_waiter(); pthread_cond_signal(&c); ${UNLOCK} end(); pthread_mutex_init(&m, 0);`,
    says: 'misuse: initialisation of a mutex that a thread released in a condition wait and has not reacquired',
  },
  mutex_destroyed_during_wait: {
    wrong: `start_waiter(); ${UNLOCK} pthread_mutex_destroy(&m);`,
    right: `start_waiter(); pthread_cond_signal(&c); ${UNLOCK} end(); pthread_mutex_destroy(&m);`,
    says: 'misuse: destruction of a mutex that a thread released in a condition wait and has not reacquired',
  },
  // Its memory used to contain another mutex, which was locked until the end of its lifetime.
  mutex_that_is_new: {
    wrong: `pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_init(p, 0); pthread_mutex_lock(p); pthread_mutex_init(p, 0);`,
    right: 'leave_locked(); leave_locked();',
    says: 'misuse: initialisation of a mutex that is held',
  },
  mutex_assigned: {
    wrong: 'pthread_mutex_t local; pthread_mutex_lock(&local);',
    right: `pthread_mutex_t local; local = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&local); pthread_mutex_destroy(&m); m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; ${LOCK}`,
    says: 'misuse: use of a mutex that has not been initialised',
  },
  wait_with_another_mutex: {
    wrong: `start_waiter(); pthread_mutex_lock(&n); pthread_cond_wait(&c, &n);`,
    right: `start_waiter(); pthread_cond_signal(&c); pthread_mutex_lock(&n); struct timespec soon = {0, 0}; pthread_cond_timedwait(&c, &n, &soon); ${UNLOCK} end();`,
    says: 'misuse: condition wait with a different mutex than a thread already waiting on it',
  },
  condition_initialised_with_waiter: {
    wrong: 'start_waiter(); pthread_cond_init(&c, 0);',
    right: `cnd_init(&c); start_waiter(); pthread_cond_broadcast(&c); ${UNLOCK} end(); pthread_cond_init(&c, 0);`,
    says: 'misuse: initialisation of a condition variable that a thread waits on',
  },
  wait_without_lock: {
    wrong: 'pthread_cond_wait(&c, &m);',
    right: `struct timespec soon = {0, 0}; ${LOCK} pthread_cond_timedwait(&c, &m, &soon); ${UNLOCK}`,
    says: 'misuse: unlock of a mutex that the thread does not hold',
  },
  wait_with_two_locks: {
    wrong: 'mtx_init(&m, mtx_recursive); mtx_lock(&m); mtx_lock(&m); cnd_wait(&c, &m);',
    right:
      'struct timespec soon = {0, 0}; mtx_init(&m, mtx_recursive); mtx_lock(&m); cnd_timedwait(&c, &m, &soon); mtx_unlock(&m);',
    says: 'misuse: condition wait with a mutex that the thread has locked more than once',
  },
  wait_for_ever: {
    wrong: `${LOCK} pthread_cond_wait(&c, &m);`,
    right: `start_waiter(); pthread_cond_signal(&c); ${UNLOCK} end();`,
    says: 'deadlock: thread 0 waits to be woken on c',
  },
  condition_destroyed_with_waiter: {
    wrong: 'start_waiter(); pthread_cond_destroy(&c);',
    right: `start_waiter(); pthread_cond_broadcast(&c); ${UNLOCK} end(); pthread_cond_destroy(&c);`,
    says: 'misuse: destruction of a condition variable that a thread waits on',
  },
  signal_of_destroyed: {
    wrong: 'pthread_cond_destroy(&c); pthread_cond_signal(&c);',
    right: 'pthread_cond_signal(&c); pthread_cond_destroy(&c);',
    says: 'misuse: use of a condition variable that has been destroyed',
  },

  join_of_nothing: {
    wrong: 'pthread_join(12345, 0);',
    right: 'start(nothing); pthread_join(t, 0);',
    says: 'misuse: join of an invalid thread',
  },
  join_twice: {
    wrong: 'run(nothing); pthread_join(t, 0);',
    right: 'run(nothing); start(nothing); pthread_join(t, 0);',
    says: 'misuse: join of a thread already joined',
  },
  join_of_each_other: {
    wrong: 'main_thread = pthread_self(); start(join_main); pthread_join(t, 0);',
    right:
      'assert(pthread_join(pthread_self(), 0) == EDEADLK && thrd_join(thrd_current(), 0) == thrd_error); run(nothing);',
    says: 'deadlock: thread 0 waits for thread 0.1 to end; thread 0.1 waits for thread 0 to end',
  },
  join_of_detached_self: {
    wrong: 'pthread_detach(pthread_self()); pthread_join(pthread_self(), 0);',
    right: 'assert(pthread_join(pthread_self(), 0) == EDEADLK); pthread_detach(pthread_self());',
    says: 'misuse: join of a detached thread',
  },
  join_of_detached: {
    wrong: 'start(nothing); pthread_detach(t); pthread_join(t, 0);',
    right: 'start(nothing); pthread_detach(t);',
    says: 'misuse: join of a detached thread',
  },
  join_of_created_detached: {
    wrong: 'make_detached(); pthread_create(&t, &detached, nothing, 0); pthread_join(t, 0);',
    right: 'pthread_attr_init(&detached); pthread_create(&t, &detached, nothing, 0); pthread_join(t, 0);',
    says: 'misuse: join of a detached thread',
  },
  detach_twice: {
    wrong: 'start(nothing); thrd_detach(t); thrd_detach(t);',
    right: 'start(nothing); thrd_detach(t); start(nothing); thrd_detach(t);',
    says: 'misuse: detach of an invalid thread, or of one already joined or detached',
  },
  detach_of_joined: {
    wrong: 'run(nothing); pthread_detach(t);',
    right: 'start(nothing); pthread_detach(t);',
    says: 'misuse: detach of an invalid thread, or of one already joined or detached',
  },

  negative_semaphore: {
    wrong: 'sem_init(&s, 0, -1);',
    right: 'sem_init(&s, 0, 1);',
    says: 'misuse: initialisation of a semaphore with a negative value',
  },
  semaphore_overflow: {
    wrong: 'sem_init(&s, 0, SEM_VALUE_MAX); sem_post(&s);',
    right: 'sem_init(&s, 0, SEM_VALUE_MAX - 1); sem_post(&s);',
    says: 'misuse: semaphore overflow',
  },
  semaphore_without_post: {
    wrong: 'sem_init(&s, 0, 1); sem_wait(&s); sem_wait(&s);',
    right:
      'sem_init(&s, 0, 1); sem_wait(&s); sem_post(&s); sem_wait(&s); assert(sem_trywait(&s) == -1 && errno == EAGAIN);',
    says: 'deadlock: thread 0 waits for s',
  },
  destroyed_semaphore: {
    wrong: 'sem_init(&s, 0, 1); sem_destroy(&s); sem_wait(&s);',
    right: 'sem_init(&s, 0, 1); sem_destroy(&s); sem_init(&s, 0, 1); sem_wait(&s);',
    says: 'misuse: use of a semaphore that has been destroyed',
  },

  read_unlock_of_free: {
    wrong: 'pthread_rwlock_unlock(&l);',
    right:
      'pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);',
    says: 'misuse: unlock of a read-write lock that the thread does not hold',
  },
  read_unlock_of_others: {
    wrong: 'run(read_l); pthread_rwlock_unlock(&l);',
    right: 'run(read_l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);',
    says: 'misuse: unlock of a read-write lock that the thread does not hold',
  },
  upgrade: {
    wrong: 'pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l);',
    right:
      'pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); assert(pthread_rwlock_tryrdlock(&l) == EBUSY);',
    says: 'deadlock: thread 0 waits for l',
  },
  rwlock_destroyed_while_held: {
    wrong: 'run(read_l); pthread_rwlock_destroy(&l);',
    right: 'pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_destroy(&l);',
    says: 'misuse: destruction of a read-write lock that is held',
  },
  destroyed_rwlock: {
    wrong: 'pthread_rwlock_destroy(&l); pthread_rwlock_wrlock(&l);',
    right: 'pthread_rwlock_destroy(&l); pthread_rwlock_init(&l, 0); pthread_rwlock_wrlock(&l);',
    says: 'misuse: use of a read-write lock that has been destroyed',
  },

  clock_read_of_destroyed_rwlock: {
    wrong:
      'struct timespec now = {0, 0}; pthread_rwlock_destroy(&l); pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &now);',
    right:
      'struct timespec now = {0, 0}; pthread_rwlock_destroy(&l); pthread_rwlock_init(&l, 0); pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &now);',
    says: 'misuse: use of a read-write lock that has been destroyed',
  },
  clock_write_of_destroyed_rwlock: {
    wrong:
      'struct timespec now = {0, 0}; pthread_rwlock_destroy(&l); pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &now);',
    right:
      'struct timespec now = {0, 0}; pthread_rwlock_destroy(&l); pthread_rwlock_init(&l, 0); pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &now);',
    says: 'misuse: use of a read-write lock that has been destroyed',
  },
  clock_unlocked_twice_rwlock: {
    wrong:
      'struct timespec now = {0, 0}; pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &now); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);',
    right:
      'struct timespec now = {0, 0}; pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &now); assert(pthread_rwlock_tryrdlock(&l) == EBUSY); pthread_rwlock_unlock(&l);',
    says: 'misuse: unlock of a read-write lock that the thread does not hold',
  },
  rwlock_initialised_while_held: {
    wrong: 'run(read_l); pthread_rwlock_init(&l, 0);',
    right: 'pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_init(&l, 0);',
    says: 'misuse: initialisation of a read-write lock that is held',
  },

  spin_unlock_of_others: {
    wrong: 'run(spin_it); pthread_spin_unlock(&spin);',
    right: 'run(nothing); pthread_spin_lock(&spin); pthread_spin_unlock(&spin);',
    says: 'misuse: unlock of a spin lock that the thread does not hold',
  },
  spin_twice: {
    wrong: 'pthread_spin_lock(&spin); pthread_spin_lock(&spin);',
    right: 'pthread_spin_lock(&spin); assert(pthread_spin_trylock(&spin) == EBUSY);',
    says: 'deadlock: thread 0 waits for spin',
  },
  spin_destroyed_while_held: {
    wrong: 'pthread_spin_lock(&spin); pthread_spin_destroy(&spin);',
    right: 'pthread_spin_lock(&spin); pthread_spin_unlock(&spin); pthread_spin_destroy(&spin);',
    says: 'misuse: destruction of a spin lock that is held',
  },
  destroyed_spin: {
    wrong: 'pthread_spin_destroy(&spin); pthread_spin_lock(&spin);',
    right: 'pthread_spin_destroy(&spin); pthread_spin_init(&spin, 0); pthread_spin_lock(&spin);',
    says: 'misuse: use of a spin lock that has been destroyed',
  },

  spin_initialised_while_held: {
    wrong: 'run(spin_it); pthread_spin_init(&spin, 0);',
    right:
      'pthread_spinlock_t *garbage = malloc(4); *(int *)garbage = 65; pthread_spin_init(garbage, 0); pthread_spin_lock(garbage);',
    says: 'misuse: initialisation of a spin lock that is held',
  },

  barrier_initialised_twice: {
    wrong: 'pthread_barrier_init(&barrier, 0, 1); pthread_barrier_init(&barrier, 0, 1);',
    right:
      'for (int i = 0; i < 2; i++) { pthread_barrier_t local; pthread_barrier_init(&local, 0, 1); pthread_barrier_wait(&local); } pthread_barrier_init(&barrier, 0, 1); pthread_barrier_destroy(&barrier); pthread_barrier_init(&barrier, 0, 1);',
    says: 'misuse: initialisation of a barrier that is initialised already',
  },
  barrier_without_init: {
    wrong: 'pthread_barrier_wait(&barrier);',
    right: 'pthread_barrier_init(&barrier, 0, 1); pthread_barrier_wait(&barrier);',
    says: 'misuse: use of a barrier that has not been initialised',
  },
  barrier_alone: {
    wrong: 'pthread_barrier_init(&barrier, 0, 2); pthread_barrier_wait(&barrier);',
    right: 'pthread_barrier_init(&barrier, 0, 2); start(enter_barrier); pthread_barrier_wait(&barrier); end();',
    says: 'deadlock: thread 0 waits for barrier',
  },
  barrier_destroyed: {
    wrong: 'pthread_barrier_init(&barrier, 0, 1); pthread_barrier_destroy(&barrier); pthread_barrier_wait(&barrier);',
    right: 'pthread_barrier_init(&barrier, 0, 1); pthread_barrier_wait(&barrier); pthread_barrier_destroy(&barrier);',
    says: 'misuse: use of a barrier that has been destroyed',
  },
  write_to_literal: {
    wrong: 'char *text = "abc"; text[x] = 1;',
    right: 'char text[] = "abc"; text[x] = 1;',
    says: 'memory: write to a constant or a string literal',
  },
  write_to_constant: {
    wrong: 'static const int three = 3; *(int *)&three = 4;',
    right: 'static int three = 3; *(int *)&three = 4;',
    says: 'memory: write to a constant or a string literal',
  },
  mutex_never_initialised: {
    wrong: 'pthread_mutex_t *fresh = malloc(sizeof *fresh); pthread_mutex_lock(fresh);',
    right: 'pthread_mutex_t *fresh = malloc(sizeof *fresh); pthread_mutex_init(fresh, 0); pthread_mutex_lock(fresh);',
    says: 'misuse: use of a mutex that has not been initialised',
  },
  local_mutex_never_initialised: {
    wrong: 'pthread_mutex_t local; pthread_mutex_trylock(&local);',
    right: 'pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_trylock(&local);',
    says: 'misuse: use of a mutex that has not been initialised',
  },
  condition_never_initialised: {
    wrong: 'pthread_cond_t *fresh = malloc(sizeof *fresh); pthread_cond_signal(fresh);',
    right: 'pthread_cond_t *fresh = malloc(sizeof *fresh); pthread_cond_init(fresh, 0); pthread_cond_signal(fresh);',
    says: 'misuse: use of a condition variable that has not been initialised',
  },
  semaphore_never_initialised: {
    wrong: 'sem_t *fresh = malloc(sizeof *fresh); sem_post(fresh);',
    right: 'sem_t *fresh = malloc(sizeof *fresh); sem_init(fresh, 0, 0); sem_post(fresh);',
    says: 'misuse: use of a semaphore that has not been initialised',
  },
  rwlock_never_initialised: {
    wrong: 'pthread_rwlock_t local; pthread_rwlock_rdlock(&local);',
    right: 'pthread_rwlock_t local = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_rdlock(&local);',
    says: 'misuse: use of a read-write lock that has not been initialised',
  },
  once_in_itself: {
    wrong: 'pthread_once(&once, call_once_again);',
    right: 'pthread_once(&once, set_x); pthread_once(&once, call_once_again); assert(x == 1);',
    says: 'deadlock: thread 0 waits for once',
  },
};

/** `wrong_name` and `right_name` for each, one line each. */
export const PAIRS_SOURCE: string =
  PRELUDE +
  Object.entries(PAIRS)
    .flatMap(([name, { wrong, right }]) => [
      `int wrong_${name}(void) { ${wrong} return 0; }\n`,
      `int right_${name}(void) { ${right} return 0; }\n`,
    ])
    .join('');

/** The line of the wrong program, from 1. */
export function lineOfWrong(name: string): number {
  return PAIRS_SOURCE.split('\n').findIndex((line) => line.startsWith(`int wrong_${name}(`)) + 1;
}

/**
 * The classic small programs of weak memory and of threads, as C. All are in one file, each with its own entry. The
 * creating thread takes part in most of them, which keeps the number of schedules small.
 */
import type { CheckedModel } from '../../src/models/index.ts';

export interface Classic {
  readonly entry: string;
  /** The result of `verdict` under each model. */
  readonly expected: Readonly<Record<CheckedModel, string>>;
  /** Too many schedules under TSO and PSO for a search without any reduction. */
  readonly large?: boolean;
}

export const CLASSICS_SOURCE = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int x, y, z;
static pthread_t t, u, v;
static void *result;

static void start(pthread_t *thread, void *(*f)(void *)) { pthread_create(thread, 0, f, 0); }
static int end(pthread_t thread) {
  pthread_join(thread, &result);
  return (int)(intptr_t)result;
}
#define RETURN(value) return (void *)(intptr_t)(value)

/* Store buffering */
static void *sb_1(void *_) { x = 1; RETURN(y); }
int sb(void) {
  start(&t, sb_1);
  y = 1;
  int b = x;
  int a = end(t);
  assert(a || b);
  return 0;
}

static void *sb_mfence_1(void *_) { x = 1; __asm__ volatile("mfence" ::: "memory"); RETURN(y); }
int sb_mfence(void) {
  start(&t, sb_mfence_1);
  y = 1;
  __asm__ volatile("mfence" ::: "memory");
  int b = x;
  int a = end(t);
  assert(a || b);
  return 0;
}

static _Atomic int ax, ay;
static void *sb_relaxed_1(void *_) {
  atomic_store_explicit(&ax, 1, memory_order_relaxed);
  RETURN(atomic_load_explicit(&ay, memory_order_relaxed));
}
int sb_relaxed(void) {
  start(&t, sb_relaxed_1);
  atomic_store_explicit(&ay, 1, memory_order_relaxed);
  int b = atomic_load_explicit(&ax, memory_order_relaxed);
  int a = end(t);
  assert(a || b);
  return 0;
}

static void *sb_seq_cst_1(void *_) { ax = 1; RETURN(ay); }
int sb_seq_cst(void) {
  start(&t, sb_seq_cst_1);
  ay = 1;
  int b = ax;
  int a = end(t);
  assert(a || b);
  return 0;
}

/* Message passing */
static void *mp_1(void *_) { x = 1; y = 1; RETURN(0); }
int mp(void) {
  start(&t, mp_1);
  int flag = y, data = x;
  assert(!flag || data);
  end(t);
  return 0;
}

static void *mp_release_1(void *_) {
  x = 1;
  atomic_store_explicit(&ay, 1, memory_order_release);
  RETURN(0);
}
int mp_release(void) {
  start(&t, mp_release_1);
  int flag = atomic_load_explicit(&ay, memory_order_acquire), data = x;
  assert(!flag || data);
  end(t);
  return 0;
}

static void *mp_fence_1(void *_) {
  x = 1;
  atomic_thread_fence(memory_order_release);
  y = 1;
  RETURN(0);
}
int mp_fence(void) {
  start(&t, mp_fence_1);
  int flag = y, data = x;
  assert(!flag || data);
  end(t);
  return 0;
}

/* n6: forwarding from the own buffer */
static void *n6_1(void *_) { y = 2; x = 2; RETURN(0); }
int n6(void) {
  start(&t, n6_1);
  x = 1;
  int a = x, b = y;
  end(t);
  assert(!(a == 1 && b == 0 && x == 1));
  return 0;
}

/* 2+2W */
static void *two_plus_two_1(void *_) { y = 1; x = 2; RETURN(0); }
int two_plus_two_writes(void) {
  start(&t, two_plus_two_1);
  x = 1;
  y = 2;
  end(t);
  __sync_synchronize();
  assert(!(x == 1 && y == 1));
  return 0;
}

/* Independent reads of independent writes */
static void *write_x(void *_) { x = 1; RETURN(0); }
static void *write_y(void *_) { y = 1; RETURN(0); }
static void *read_xy(void *_) {
  int a = x, b = y;
  RETURN(a == 1 && b == 0);
}
int iriw(void) {
  start(&t, write_x);
  start(&u, write_y);
  start(&v, read_xy);
  int a = y, b = x;
  int other = end(v);
  assert(!(other && a == 1 && b == 0));
  return 0;
}

/* Load buffering: no model reorders loads and later stores */
static void *lb_1(void *_) { int a = x; y = 1; RETURN(a); }
int lb(void) {
  start(&t, lb_1);
  int b = y;
  x = 1;
  int a = end(t);
  assert(!(a && b));
  return 0;
}

/* Coherence */
static void *corr_1(void *_) { x = 1; x = 2; RETURN(0); }
int corr(void) {
  start(&t, corr_1);
  int a = x, b = x;
  assert(a <= b);
  end(t);
  return 0;
}

/* Dekker's entry protocol, without waiting */
static int flag[2], inside;
static void *dekker_1(void *_) {
  flag[0] = 1;
  if (flag[1] == 0) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
  }
  RETURN(0);
}
int dekker(void) {
  start(&t, dekker_1);
  flag[1] = 1;
  if (flag[0] == 0) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
  }
  return 0;
}

static void *dekker_fenced_1(void *_) {
  flag[0] = 1;
  __sync_synchronize();
  if (flag[1] == 0) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
  }
  RETURN(0);
}
int dekker_fenced(void) {
  start(&t, dekker_fenced_1);
  flag[1] = 1;
  __sync_synchronize();
  if (flag[0] == 0) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
  }
  return 0;
}

/* A counter, with and without its mutex */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int counter;
static void *count_locked(void *_) {
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  RETURN(0);
}
int mutex_counter(void) {
  start(&t, count_locked);
  count_locked(0);
  end(t);
  assert(counter == 2);
  return 0;
}
int mutex_counter_3(void) {
  start(&t, count_locked);
  start(&u, count_locked);
  count_locked(0);
  end(t);
  end(u);
  assert(counter == 3);
  return 0;
}

static void *count(void *_) { counter++; RETURN(0); }
int plain_counter(void) {
  start(&t, count);
  count(0);
  end(t);
  assert(counter == 2);
  return 0;
}

static atomic_int atomic_counter;
static void *count_atomic(void *_) { atomic_counter++; RETURN(0); }
int atomic_increment(void) {
  start(&t, count_atomic);
  start(&u, count_atomic);
  count_atomic(0);
  end(t);
  end(u);
  assert(atomic_counter == 3);
  return 0;
}

/* An atomic load and an atomic store are no atomic increment */
static void *count_split(void *_) { atomic_store(&atomic_counter, atomic_load(&atomic_counter) + 1); RETURN(0); }
int split_counter(void) {
  start(&t, count_split);
  count_split(0);
  end(t);
  assert(atomic_counter == 2);
  return 0;
}

/* A handshake */
static void *produce(void *_) {
  pthread_mutex_lock(&mutex);
  x = 42;
  y = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  RETURN(0);
}
int handshake(void) {
  start(&t, produce);
  pthread_mutex_lock(&mutex);
  while (!y) pthread_cond_wait(&condition, &mutex);
  assert(x == 42);
  pthread_mutex_unlock(&mutex);
  end(t);
  return 0;
}

/* The same, but the flag is looked at before the lock is taken: the signal may come in between */
int lost_wakeup(void) {
  start(&t, produce);
  if (!y) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  end(t);
  return 0;
}

/* Locks in both orders */
static void *lock_ba(void *_) {
  pthread_mutex_lock(&other_mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&other_mutex);
  RETURN(0);
}
int lock_order(void) {
  start(&t, lock_ba);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&other_mutex);
  pthread_mutex_unlock(&other_mutex);
  pthread_mutex_unlock(&mutex);
  end(t);
  return 0;
}

/* Check, then act, in two critical sections */
static void *take(void *_) {
  pthread_mutex_lock(&mutex);
  int free_seat = z == 0;
  pthread_mutex_unlock(&mutex);
  if (free_seat) {
    pthread_mutex_lock(&mutex);
    z++;
    pthread_mutex_unlock(&mutex);
  }
  RETURN(0);
}
int check_then_act(void) {
  start(&t, take);
  take(0);
  end(t);
  assert(z <= 1);
  return 0;
}

/* A node that is freed while it is still read */
static int *volatile shared;
static void *release(void *_) {
  int *mine = shared;
  shared = 0;
  free(mine);
  RETURN(0);
}
int read_of_freed(void) {
  shared = malloc(sizeof *shared);
  *shared = 7;
  start(&t, release);
  int *seen = shared;
  if (seen) assert(*seen == 7);
  end(t);
  return 0;
}
`;

const same = (text: string): Classic['expected'] => ({ sc: text, tso: text, pso: text });
const verified = same('verified');
const relaxed = (text: string): Classic['expected'] => ({ sc: 'verified', tso: text, pso: text });
const onlyPso = (text: string): Classic['expected'] => ({ sc: 'verified', tso: 'verified', pso: text });

export const CLASSICS: readonly Classic[] = [
  { entry: 'sb', expected: relaxed('assertion: a || b') },
  { entry: 'sb_mfence', expected: verified },
  { entry: 'sb_relaxed', expected: relaxed('assertion: a || b') },
  { entry: 'sb_seq_cst', expected: verified },
  { entry: 'mp', expected: onlyPso('assertion: !flag || data') },
  { entry: 'mp_release', expected: verified },
  { entry: 'mp_fence', expected: verified },
  { entry: 'n6', expected: relaxed('assertion: !(a == 1 && b == 0 && x == 1)') },
  { entry: 'two_plus_two_writes', expected: onlyPso('assertion: !(x == 1 && y == 1)') },
  { entry: 'iriw', expected: verified, large: true },
  { entry: 'lb', expected: verified },
  { entry: 'corr', expected: verified },
  { entry: 'dekker', expected: relaxed('assertion: inside == 0') },
  { entry: 'dekker_fenced', expected: verified },
  { entry: 'mutex_counter', expected: verified },
  { entry: 'mutex_counter_3', expected: verified, large: true },
  { entry: 'atomic_increment', expected: verified },
  { entry: 'handshake', expected: verified },
  { entry: 'plain_counter', expected: same('assertion: counter == 2') },
  { entry: 'split_counter', expected: same('assertion: atomic_counter == 2') },
  { entry: 'lost_wakeup', expected: same('deadlock: thread 0 waits to be woken on condition') },
  {
    entry: 'lock_order',
    expected: same(
      'deadlock: thread 0 waits for the lock other_mutex, held by thread 0.1; thread 0.1 waits for the lock mutex, held by thread 0',
    ),
  },
  { entry: 'check_then_act', expected: same('assertion: z <= 1') },
  { entry: 'read_of_freed', expected: same('memory: use after free') },
];

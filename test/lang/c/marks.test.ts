/**
 * The library reads without a step (`__fencepost_glance`) only what no step of another thread can change, unless the
 * program is wrong in either order: the search, with and without monitors, and the enumerator agree on attributes,
 * deadlines, kinds, marks and everything else that the library keeps.
 */
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS, verdict } from '../../support/c.ts';

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static atomic_int f, g;
#define PUBLISH atomic_store_explicit(&f, 1, memory_order_relaxed)
#define SEES atomic_load_explicit(&f, memory_order_acquire)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static pthread_mutexattr_t t;
static pthread_attr_t a;
static pthread_condattr_t ct;
static pthread_rwlockattr_t lt;
static pthread_barrierattr_t bt;
static struct timespec soon = {1, 0};
static sem_t s;
static pthread_spinlock_t spin;
static pthread_rwlock_t l;
static pthread_mutex_t *hm;
static pthread_cond_t *hc;
static pthread_t p, q;
static int number;
`;
const MAIN = `int main(void) { hm = malloc(sizeof *hm); hc = malloc(sizeof *hc); srand(5); srand48(5);
  pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0);
  pthread_join(p, 0); pthread_join(q, 0); }`;

/** The threads are never joined. */
const DETACHABLE = `int main(void) { pthread_create(&p, 0, one, 0); PUBLISH; pthread_create(&q, 0, two, 0); pthread_exit(0); }`;

function program(one: string, two: string, { main = MAIN, more = '' } = {}): string {
  return `${HEAD}${more}static void *one(void *_) { ${one} return _; }\nstatic void *two(void *_) { ${two} return _; }\n${main}\n`;
}

/** With it, the program has a mutex of a special kind, so reading kinds is a step. */
const STRICT = 'static pthread_mutex_t strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n';

const KIND =
  'pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE);';

describe.each([
  [
    'a deadline',
    program(
      'soon.tv_nsec = 2000000000;',
      'pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &soon) != 22); pthread_mutex_unlock(&m);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a deadline of a lock',
    program('soon.tv_nsec = 2000000000;', 'pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &soon) != 22);'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a deadline of a read-write lock with a clock',
    program(
      'soon.tv_nsec = 2000000000;',
      'pthread_rwlock_rdlock(&l); assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &soon) != 22);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'the kind in an attribute',
    program(
      'pthread_mutexattr_settype(&t, PTHREAD_MUTEX_RECURSIVE);',
      'int k; pthread_mutexattr_gettype(&t, &k); assert(k == PTHREAD_MUTEX_NORMAL);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'an attribute that another thread initialises',
    program(
      'pthread_mutexattr_init(&t); pthread_attr_init(&a);',
      'pthread_mutexattr_settype(&t, PTHREAD_MUTEX_RECURSIVE); int k; pthread_mutexattr_gettype(&t, &k); assert(k != 0);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a thread attribute that another thread initialises',
    program(
      'pthread_attr_init(&a);',
      'pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED); int d; pthread_attr_getdetachstate(&a, &d); assert(d != 0);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'whether a thread is detached',
    program(
      'pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);',
      'int d; pthread_attr_getdetachstate(&a, &d); assert(d == PTHREAD_CREATE_JOINABLE);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'the clock in an attribute',
    program(
      'pthread_condattr_setclock(&ct, CLOCK_MONOTONIC);',
      'clockid_t k; pthread_condattr_getclock(&ct, &k); assert(k == CLOCK_REALTIME);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'two settings of one attribute',
    program(
      'pthread_condattr_setclock(&ct, CLOCK_MONOTONIC); int n; pthread_condattr_getpshared(&ct, &n); assert(n == 0);',
      'pthread_condattr_setpshared(&ct, PTHREAD_PROCESS_SHARED); clockid_t k; pthread_condattr_getclock(&ct, &k); assert(k == CLOCK_REALTIME);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'whether a lock is shared, set before a flag',
    program(
      'pthread_rwlockattr_setpshared(&lt, PTHREAD_PROCESS_SHARED); PUBLISH;',
      'int n = 1; if (SEES) pthread_rwlockattr_getpshared(&lt, &n); assert(n == PTHREAD_PROCESS_SHARED);',
    ),
    ['verified', 'verified', 'violation'],
  ],
  [
    'whether a barrier is shared, and another thread initialises it',
    program(
      'pthread_barrierattr_init(&bt);',
      'pthread_barrierattr_setpshared(&bt, PTHREAD_PROCESS_SHARED); int n; pthread_barrierattr_getpshared(&bt, &n); assert(n != 0);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'the kind of a mutex that another thread initialises',
    program(
      `${KIND} pthread_mutex_init(&m, &k); PUBLISH;`,
      'if (SEES) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); }',
    ),
    ['verified', 'verified', 'violation'],
  ],
  [
    'two kinds of one mutex',
    program(`${KIND} pthread_mutex_init(&m, &k);`, 'pthread_mutex_init(&m, 0);'),
    ['verified', 'verified', 'verified'],
  ],
  [
    'a barrier that another thread initialises',
    program('pthread_barrier_init(&b, 0, 1); PUBLISH;', 'if (SEES) pthread_barrier_wait(&b);'),
    ['verified', 'verified', 'violation'],
  ],
  [
    'two initialisations of a semaphore',
    program('sem_init(&s, 0, 1);', 'sem_init(&s, 0, 0);'),
    Array(3).fill('verified'),
  ],
  [
    'a mutex that is destroyed twice',
    program('pthread_mutex_destroy(&m);', 'pthread_mutex_destroy(&m);'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a condition variable that is destroyed twice',
    program('pthread_cond_destroy(&c);', 'pthread_cond_destroy(&c);'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a semaphore that is destroyed twice',
    program('sem_destroy(&s);', 'sem_destroy(&s);'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a semaphore that is destroyed while its value is read',
    program('sem_destroy(&s);', 'sem_trywait(&s);'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a semaphore that is initialised during a wait, its value first',
    program('sem_init(&s, 0, 1);', 'int v; sem_getvalue(&s, &v); if (v == 1) sem_wait(&s);'),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a barrier that is initialised twice, seen under PSO alone',
    program(
      'atomic_store_explicit(&g, 1, memory_order_relaxed); pthread_barrier_init(&b, 0, 1); PUBLISH;',
      'if (SEES && atomic_load(&g) == 0) pthread_barrier_init(&b, 0, 1);',
    ),
    ['verified', 'verified', 'violation'],
  ],
  [
    'an unlock that is refused',
    program('pthread_mutex_destroy(&strict);', 'pthread_mutex_unlock(&strict);', { more: STRICT }),
    ['violation', 'violation', 'violation'],
  ],
  [
    'two initialisations of a condition variable, and a wait',
    program(
      'pthread_cond_init(hc, 0);',
      'pthread_cond_init(hc, 0); pthread_mutex_lock(&m); pthread_cond_timedwait(hc, &m, &soon); pthread_mutex_unlock(&m);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'two initialisations of a mutex, and a lock',
    program(
      'atomic_load(&g); pthread_mutex_init(hm, 0);',
      'pthread_mutex_init(hm, 0); pthread_mutex_lock(hm); pthread_mutex_unlock(hm);',
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a kind that is assigned',
    program(
      'm = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; PUBLISH;',
      'if (SEES) { pthread_mutex_lock(&m); assert(pthread_mutex_trylock(&m) == 0); }',
    ),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a kind that is copied',
    program(
      'memcpy(&m, &strict, sizeof m);',
      'pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &soon) == 110); pthread_mutex_unlock(&m);',
      { more: STRICT },
    ),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a mutex that another thread assigns',
    program('*hm = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; PUBLISH;', 'if (SEES) pthread_mutex_lock(hm);'),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a static mutex that another thread initialises',
    program('pthread_mutex_init(&m, 0); PUBLISH;', 'if (SEES) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }'),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a static condition variable that another thread initialises',
    program('pthread_cond_init(&c, 0); PUBLISH;', 'if (SEES) pthread_cond_signal(&c);'),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a spin lock that another thread initialises',
    program(
      'pthread_spin_init(&spin, 0); PUBLISH;',
      'if (SEES) { pthread_spin_lock(&spin); assert(pthread_spin_trylock(&spin) != 0); }',
    ),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a read-write lock that another thread initialises',
    program(
      'pthread_rwlock_init(&l, 0); PUBLISH;',
      'if (SEES) { pthread_rwlock_wrlock(&l); assert(pthread_rwlock_trywrlock(&l) != 0); }',
    ),
    ['verified', 'verified', 'violation'],
  ],
  [
    'a spin lock that is assigned',
    program('spin = 0;', 'pthread_spin_lock(&spin); atomic_load(&g); pthread_spin_unlock(&spin);'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'a thread that joins itself while another detaches it',
    program('atomic_load(&g); pthread_join(pthread_self(), 0);', 'if (SEES) pthread_detach(p);', {
      main: DETACHABLE,
    }),
    ['violation', 'violation', 'violation'],
  ],
  [
    'random numbers of two threads',
    program('number = rand();', 'int mine = rand(); srand(5); assert(mine == rand());'),
    ['violation', 'violation', 'violation'],
  ],
  [
    'numbers that POSIX defines, of two threads',
    program('srand48(1);', 'assert(lrand48() != 89400484);'),
    ['violation', 'violation', 'violation'],
  ],
])('%s', (_, source, verdicts: readonly string[]) => {
  it.each(MODELS.map((model, i) => [model, verdicts[i]!] as const))(
    'has its verdict under %s',
    async (model, expected) => {
      const compiled = await compileC(source);
      for (const strategy of ['optimal', 'source', 'enumerate'] as const) {
        const isVerified = verdict(check(compiled, model, { strategy })) === 'verified';
        expect(isVerified, strategy).toBe(expected === 'verified');
      }
      const isVerified = verdict(check(compiled, model, { strategy: 'optimal', monitors: true })) === 'verified';
      expect(isVerified, 'with monitors').toBe(expected === 'verified');
    },
  );
});

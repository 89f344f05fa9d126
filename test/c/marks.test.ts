/**
 * What the library looks at without a step (`__fencepost_glance`) is nothing that another thread's step can change, unless
 * the program is wrong in either order: the search and the enumerator agree on attributes, deadlines, kinds and marks.
 */
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS, verdict } from '../support/c.ts';

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int f;
#define PUBLISH atomic_store_explicit(&f, 1, memory_order_relaxed)
#define SEES atomic_load_explicit(&f, memory_order_acquire)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static pthread_mutexattr_t t;
static pthread_attr_t a;
static struct timespec soon = {1, 0};
static sem_t s;
`;
const MAIN = `int main(void) { pthread_t p, q; pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0);
  pthread_join(p, 0); pthread_join(q, 0); }`;

function program(one: string, two: string): string {
  return `${HEAD}static void *one(void *_) { ${one} return _; }\nstatic void *two(void *_) { ${two} return _; }\n${MAIN}\n`;
}

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
])('%s', (_, source, verdicts: readonly string[]) => {
  it.each(MODELS.map((model, i) => [model, verdicts[i]!] as const))('under %s', async (model, expected) => {
    const compiled = await compileC(source);
    for (const strategy of ['optimal', 'source', 'enumerate'] as const) {
      const isVerified = verdict(check(compiled, model, { strategy })) === 'verified';
      expect(isVerified, strategy).toBe(expected === 'verified');
    }
  });
});

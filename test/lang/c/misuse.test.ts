/**
 * Objects that one thread initialises or binds while another uses them: every search finds the error; there is none if
 * the two are ordered.
 */
import { describe, expect, it } from 'vitest';
import type { StrategyName } from '../../../src/options/search.ts';
import { check, compileC, MODELS, verdict } from '../../support/c.ts';

const STRATEGIES: readonly StrategyName[] = ['optimal', 'source', 'enumerate', 'exhaustive'];

const PRELUDE = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
static pthread_mutex_t m, n; static pthread_cond_t c; static pthread_rwlock_t l; static pthread_spinlock_t spin;
static pthread_barrier_t barrier; static sem_t s, *heap; static int x; static pthread_t t; static thrd_t thrd, inner;
`;

const CREATE = 'pthread_create(&t, 0, OTHER, 0);';
const JOIN = 'pthread_join(t, 0);';

interface Case {
  readonly what: string;
  readonly other: string;
  readonly wrong: string;
  readonly right: string;
  readonly says: string;
}

const CASES: readonly Case[] = [
  {
    what: 'a mutex that another thread holds',
    other: 'pthread_mutex_lock(&m); pthread_mutex_unlock(&m);',
    wrong: `${CREATE} pthread_mutex_init(&m, 0); ${JOIN}`,
    right: `pthread_mutex_init(&m, 0); ${CREATE} ${JOIN} pthread_mutex_init(&m, 0);`,
    says: 'misuse: initialisation of a mutex that is held',
  },
  {
    what: 'a read-write lock that another thread has taken with a clock',
    other:
      'struct timespec now = {0, 0}; if (pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &now) == 0) pthread_rwlock_unlock(&l);',
    wrong: `${CREATE} pthread_rwlock_init(&l, 0); ${JOIN}`,
    right: `pthread_rwlock_init(&l, 0); ${CREATE} ${JOIN} pthread_rwlock_init(&l, 0);`,
    says: 'misuse: initialisation of a read-write lock that is held',
  },
  {
    what: 'a condition variable that another thread waits on',
    other: 'pthread_mutex_lock(&m); x = 2; while (x == 2) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);',
    wrong: `${CREATE} pthread_mutex_lock(&m); if (x == 2) pthread_cond_init(&c, 0); exit(0);`,
    right: `pthread_cond_init(&c, 0); ${CREATE} pthread_mutex_lock(&m); if (x == 2) { x = 0; pthread_cond_signal(&c); pthread_mutex_unlock(&m); ${JOIN} pthread_cond_init(&c, 0); } exit(0);`,
    says: 'misuse: initialisation of a condition variable that a thread waits on',
  },
  {
    what: 'a mutex that a thread has been woken for',
    other: 'pthread_mutex_lock(&m); x = 2; pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);',
    wrong: `${CREATE} pthread_mutex_lock(&m); pthread_cond_signal(&c); int waits = x == 2; pthread_mutex_unlock(&m); if (waits) pthread_mutex_init(&m, 0); exit(0);`,
    right: `pthread_mutex_init(&m, 0); ${CREATE} pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m); exit(0);`,
    says: 'misuse: initialisation of a mutex that a thread released in a condition wait and has not reacquired',
  },
  {
    what: 'a read-write lock that another thread holds',
    other: 'pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);',
    wrong: `${CREATE} pthread_rwlock_init(&l, 0); ${JOIN}`,
    right: `pthread_rwlock_init(&l, 0); ${CREATE} ${JOIN} pthread_rwlock_init(&l, 0);`,
    says: 'misuse: initialisation of a read-write lock that is held',
  },
  {
    what: 'a spin lock that another thread holds',
    other: 'pthread_spin_lock(&spin); pthread_spin_unlock(&spin);',
    wrong: `${CREATE} pthread_spin_init(&spin, 0); ${JOIN}`,
    right: `pthread_spin_init(&spin, 0); ${CREATE} ${JOIN} pthread_spin_init(&spin, 0);`,
    says: 'misuse: initialisation of a spin lock that is held',
  },
  {
    what: 'a semaphore that another thread waits for',
    other: 'sem_wait(&s);',
    wrong: `${CREATE} sem_init(&s, 0, 1); ${JOIN}`,
    right: `sem_init(&s, 0, 1); ${CREATE} ${JOIN} sem_init(&s, 0, 0);`,
    says: 'misuse: wait for a semaphore that is initialised in the meantime',
  },
  {
    what: 'a semaphore on the heap that another thread waits for',
    other: 'sem_wait(heap);',
    wrong: `heap = malloc(sizeof *heap); sem_init(heap, 0, 0); ${CREATE} sem_init(heap, 0, 1); ${JOIN}`,
    right: `heap = malloc(sizeof *heap); sem_init(heap, 0, 0); ${CREATE} sem_post(heap); ${JOIN} sem_init(heap, 0, 1);`,
    says: 'misuse: wait for a semaphore that is initialised in the meantime',
  },
  {
    what: 'a barrier that another thread has come to already',
    other: 'pthread_barrier_wait(&barrier);',
    wrong: `${CREATE} pthread_barrier_init(&barrier, 0, 1); ${JOIN}`,
    right: `pthread_barrier_init(&barrier, 0, 1); ${CREATE} ${JOIN} pthread_barrier_destroy(&barrier); pthread_barrier_init(&barrier, 0, 1);`,
    says: 'misuse: use of a barrier that has not been initialised',
  },
  {
    what: 'a barrier that another thread waits at',
    other: 'pthread_barrier_wait(&barrier);',
    wrong: `pthread_barrier_init(&barrier, 0, 2); ${CREATE} pthread_barrier_init(&barrier, 0, 2); pthread_barrier_wait(&barrier); ${JOIN}`,
    right: `pthread_barrier_init(&barrier, 0, 2); ${CREATE} pthread_barrier_wait(&barrier); ${JOIN}`,
    says: 'misuse: initialisation of a barrier that',
  },
  {
    what: 'a condition variable with two mutexes',
    other: 'pthread_mutex_lock(&n); pthread_cond_wait(&c, &n);',
    wrong: `${CREATE} pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); exit(0);`,
    right: `${CREATE} struct timespec soon = {0, 0}; pthread_mutex_lock(&n); pthread_cond_timedwait(&c, &n, &soon); exit(0);`,
    says: 'misuse: condition wait with a different mutex than a thread already waiting on it',
  },
];

/** In case i, thread 1 runs `other` after an access unrelated to the object. */
const SOURCE =
  PRELUDE +
  CASES.map(
    ({ other, wrong, right }, i) => `static void *other_${i}(void *p) { x = 1; ${other} return p; }
int wrong_${i}(void) { ${wrong.replaceAll('OTHER', `other_${i}`)} return 0; }
int right_${i}(void) { ${right.replaceAll('OTHER', `other_${i}`)} return 0; }
`,
  ).join('') +
  `static int is_it(void *p) { x = 1; assert(thrd_equal(thrd, thrd_current())); return p != 0; }
static int is_inner(void *p) { assert(thrd_equal(inner, thrd_current())); return p != 0; }
static int is_outer(void *p) { assert(thrd_equal(thrd, thrd_current())); thrd_create(&inner, is_inner, p); thrd_join(inner, 0); return 0; }
static void *is_posix(void *p) { assert(pthread_equal(t, pthread_self())); return p; }
int c11(void) { thrd_create(&thrd, is_it, 0); thrd_join(thrd, 0); return 0; }
int c11_nested(void) { pthread_create(&t, 0, other_0, 0); thrd_create(&thrd, is_outer, 0); thrd_join(thrd, 0); ${JOIN} return 0; }
int posix(void) { pthread_create(&t, 0, is_posix, 0); ${JOIN} return 0; }
`;

const entry = (name: string) => compileC({ 'misuse.c': SOURCE }, { entry: name });

describe.each(CASES.map((c, i) => ({ ...c, i })))('$what', ({ i, says }) => {
  it('is found by every search, and is no error if ordered', async () => {
    const [wrong, right] = [await entry(`wrong_${i}`), await entry(`right_${i}`)];
    for (const strategy of STRATEGIES) {
      // A store buffer has too many schedules to try them all.
      for (const model of strategy === 'exhaustive' ? (['sc'] as const) : MODELS) {
        const { errors } = check(wrong, model, { strategy, keepGoing: true });
        const messages = errors.map(({ error }) => `${error.kind}: ${error.message}`);
        expect(
          messages.some((message) => message.startsWith(says)),
          `${strategy} ${model}: ${messages}`,
        ).toBe(true);
        expect(verdict(check(right, model, { strategy })), `${strategy} ${model}`).toBe('verified');
      }
    }
  });
});

it('says where both threads wait with their mutexes', async () => {
  const { errors } = check(await entry(`wrong_${CASES.length - 1}`), 'sc', { strategy: 'optimal', keepGoing: true });
  const notes = errors.filter(({ error }) => error.kind === 'misuse').map(({ error }) => error.notes?.join());
  expect(notes).toContainEqual(
    expect.stringMatching(/^thread 0\.1 waits on `c` with the mutex `n` at .*misuse\.c:\d+:\d+$/),
  );
});

describe('the identifier of a new thread', () => {
  it.each(['c11', 'c11_nested'])('is stored before it starts by thrd_create: %s', async (name) => {
    for (const model of MODELS) {
      expect(verdict(check(await entry(name), model, { strategy: 'optimal', races: true })), model).toBe('verified');
    }
  });

  it('may be stored after it starts by pthread_create', async () => {
    for (const model of MODELS) {
      const { errors } = check(await entry('posix'), model, { strategy: 'optimal', keepGoing: true });
      expect(
        errors.map(({ error }) => error.message),
        model,
      ).toContain('pthread_equal(t, pthread_self())');
      const race = check(await entry('posix'), model, { strategy: 'optimal', races: true, keepGoing: true });
      expect(
        race.errors.map(({ error }) => error.kind),
        model,
      ).toContain('race');
    }
  });
});

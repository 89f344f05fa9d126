/** Objects that one thread initialises or binds while another uses them: whatever the search, it is found; ordered, it is none. */
import { describe, expect, it } from 'vitest';
import type { StrategyName } from '../../src/check.ts';
import { check, compileC, MODELS, verdict } from '../support/c.ts';

const STRATEGIES: readonly StrategyName[] = ['optimal', 'source', 'enumerate', 'exhaustive'];

/** Thread 1 runs `other` after an access that has nothing to do with the object, main runs `main` once it has created it. */
const program = (main: string, other: string): string => `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
static pthread_mutex_t m, n; static pthread_cond_t c; static pthread_rwlock_t l; static pthread_spinlock_t spin;
static pthread_barrier_t barrier; static sem_t s, *heap; static int x; static pthread_t t; static thrd_t thrd;
static void *thread(void *p) { x = 1; ${other} return p; }
static int thread11(void *p) { (void)p; x = 1; ${other} return 0; }
int main(void) { (void)thread; (void)thread11; ${main} return 0; }`;

const CREATE = 'pthread_create(&t, 0, thread, 0);';
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
    says: 'misuse: initialisation of a mutex that a thread gave up in a condition wait and has not locked again',
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
    says: 'misuse: condition wait with another mutex than a thread that already waits there',
  },
];

describe.each(CASES)('$what', ({ wrong, right, other, says }) => {
  it.each(STRATEGIES)('is found by %s', async (strategy) => {
    const wrongProgram = await compileC(program(wrong, other));
    const rightProgram = await compileC(program(right, other));
    for (const model of MODELS) {
      const { errors } = check(wrongProgram, model, { strategy, keepGoing: true });
      const messages = errors.map(({ error }) => `${error.kind}: ${error.message}`);
      expect(
        messages.some((message) => message.startsWith(says)),
        `${model}: ${messages}`,
      ).toBe(true);
      expect(verdict(check(rightProgram, model, { strategy })), model).toBe('verified');
    }
  });
});

it('says where both threads wait with their mutexes', async () => {
  const { wrong, other } = CASES.at(-1)!;
  const { errors } = check(await compileC(program(wrong, other)), 'sc', { strategy: 'optimal', keepGoing: true });
  const found = errors.filter(({ error }) => error.kind === 'misuse').map(({ error }) => [error.line, error.notes]);
  expect(found).toEqual(
    expect.arrayContaining([
      [10, [expect.stringMatching(/^thread 0\.1 waits on c with the mutex n at .*test\.c:8:\d+$/)]],
    ]),
  );
});

describe('the identifier of a new thread', () => {
  const CHECK_C11 = 'assert(thrd_equal(thrd, thrd_current()));';
  const CHECK_POSIX = 'assert(pthread_equal(t, pthread_self()));';

  it('is stored before it starts by thrd_create, also in threads of threads', async () => {
    const body = 'thrd_create(&thrd, thread11, 0); thrd_join(thrd, 0);';
    const nested = `#include <assert.h>
#include <threads.h>
static thrd_t a, b;
static int inner(void *p) { (void)p; assert(thrd_equal(b, thrd_current())); return 0; }
static int outer(void *p) { assert(thrd_equal(a, thrd_current())); thrd_create(&b, inner, p); thrd_join(b, 0); return 0; }
int main(void) { thrd_t c; thrd_create(&c, inner, 0); thrd_detach(c); b = c; thrd_create(&a, outer, 0); thrd_join(a, 0); return 0; }`;
    for (const model of MODELS) {
      for (const strategy of STRATEGIES) {
        const result = check(await compileC(program(body, CHECK_C11)), model, { strategy, races: true });
        expect(verdict(result), `${model} ${strategy}`).toBe('verified');
      }
      // The first one may not find itself in `b`: nobody promised that.
      const first = check(await compileC(nested), model, { strategy: 'optimal' });
      expect(verdict(first), model).toBe('assertion: thrd_equal(b, thrd_current())');
      const alone = nested.replace('thrd_create(&c, inner, 0); thrd_detach(c); b = c; ', '(void)c; ');
      expect(verdict(check(await compileC(alone), model, { strategy: 'optimal', races: true })), model).toBe(
        'verified',
      );
    }
  });

  it('may be stored after it starts by pthread_create', async () => {
    const source = await compileC(program(`${CREATE} ${JOIN}`, CHECK_POSIX));
    for (const model of MODELS) {
      expect(verdict(check(source, model, { strategy: 'optimal' })), model).toBe(
        'assertion: pthread_equal(t, pthread_self())',
      );
      const race = check(await compileC(program(`${CREATE} ${JOIN}`, 'pthread_t me = t; (void)me;')), model, {
        strategy: 'optimal',
        races: true,
      });
      expect(race.errors[0]?.error.kind, model).toBe('race');
    }
  });
});

/** Data races on plain accesses: both accesses are named, and everything that orders them is recognised. */
import { describe, expect, it } from 'vitest';
import type { StrategyName } from '../../../src/options/search.ts';
import type { Warning } from '../../../src/pipelines/warnings.ts';
import type { Program } from '../../../src/program/ir.ts';
import { type CheckedModel, check, compileC, MODELS, verdict } from '../../support/c.ts';

/** Two threads run `body` with `i` 0 and 1; the shared variable is `data`. */
const two = (body: string, setUp = ''): string => `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m; static pthread_rwlock_t l; static pthread_spinlock_t spin; static pthread_barrier_t barrier;
static pthread_once_t once; static sem_t s; static atomic_int flag; static int data, *pointer;
static void initialise(void) { data = 1; }
static void *thread(void *p) {
  int i = (int)p;
  (void)i;
  ${body}
  return 0;
}
int main(void) {
  pthread_t t;
  ${setUp}
  pthread_create(&t, 0, thread, (void *)1);
  thread((void *)0);
  pthread_join(t, 0);
  return 0;
}`;
const LINE = 11;

const STRATEGIES = ['optimal', 'source', 'enumerate', 'exhaustive', 'bounded', 'random'] as const;

const THREAD = 'pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0;';

const RACY: readonly [name: string, body: string, setUp: string][] = [
  ['two stores', 'data = i;', ''],
  ['a load and a store', 'if (i) data = 1; else if (data) abort();', ''],
  ['a store and a free', 'if (i) free(pointer); else if (pointer) { *pointer = 1; }', 'pointer = malloc(4);'],
  ['readers that write', 'pthread_rwlock_rdlock(&l); data++; pthread_rwlock_unlock(&l);', ''],
  [
    'readers with a clock that write',
    'struct timespec now = {0, 0}; if (pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &now) == 0) data++;',
    '',
  ],
  ['different locks', 'if (i) pthread_mutex_lock(&m); else pthread_spin_lock(&spin); data++;', ''],
  [
    'a relaxed flag',
    'if (i) { data = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); } else if (atomic_load(&flag)) data = 2;',
    '',
  ],
  ['a semaphore with room for two', 'sem_wait(&s); data++; sem_post(&s);', 'sem_init(&s, 0, 2);'],
  ['an early store and a once', 'if (i) data = 2; else pthread_once(&once, initialise);', ''],
];

describe('volatile', () => {
  const RACY_VOLATILE: readonly [name: string, body: string][] = [
    ['two stores', 'loud = i;'],
    ['a load and a store', 'if (i) loud = 1; else if (loud) abort();'],
    ['an atomic store', 'if (i) __atomic_store_n(&loud, 1, __ATOMIC_RELAXED); else if (loud) abort();'],
    ['a volatile flag', 'if (i) { data = 1; loud = 1; } else if (loud && data != 1) abort();'],
  ];
  const volatileTwo = (body: string) =>
    compileC(two(body).replace('static int data', 'static volatile int loud; static int data'));

  it.each(RACY_VOLATILE)('%s: a race of C11, under each model and by each search', async (_, body) => {
    const program = await volatileTwo(body);
    for (const strategy of STRATEGIES) {
      for (const model of strategy === 'bounded' ? (['sc'] as const) : MODELS) {
        const options = { strategy, maxExecutions: 500, races: true, keepGoing: true };
        const kinds = check(program, model, options).errors.map(({ error }) => error.kind);
        expect(kinds, `${strategy} ${model}`).toContain('race');
      }
    }
  });

  it('under a lock is not a race', async () => {
    const program = await volatileTwo('pthread_mutex_lock(&m); loud++; pthread_mutex_unlock(&m);');
    for (const model of MODELS)
      expect(verdict(check(program, model, { strategy: 'optimal', races: true })), model).toBe('verified');
  });

  it('is not a warning: volatile means that other threads access it', async () => {
    const program = await volatileTwo('loud = i;');
    expect(check(program, 'sc', { strategy: 'optimal' }).warnings).toEqual([]);
  });
});

describe('a race is found', () => {
  it.each(RACY)('in %s', async (_, body, setUp) => {
    const program = await compileC(two(body, setUp));
    for (const model of MODELS) {
      const [found] = check(program, model, { strategy: 'random', maxExecutions: 200, races: true }).errors;
      // A free that comes first may be reported as a use after free.
      if (found?.error.kind === 'memory') continue;
      expect(found?.error.kind, model).toBe('race');
      expect(found!.error.message).toMatch(
        /^.* is .* in thread 0(\.1)? at .*test\.c:\d+:\d+ and, unordered with it, .*$/,
      );
      expect([LINE, 7]).toContain(found!.error.line);
    }
  });
});

const ORDERED: readonly [name: string, body: string, setUp: string][] = [
  ['a mutex', 'pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m);', ''],
  [
    'a timed lock',
    'struct timespec now = {0, 0}; if (pthread_mutex_timedlock(&m, &now) == 0) { data++; pthread_mutex_unlock(&m); }',
    '',
  ],
  [
    'a read-write lock',
    'if (i) { pthread_rwlock_wrlock(&l); data++; } else { pthread_rwlock_rdlock(&l); flag = data; } pthread_rwlock_unlock(&l);',
    '',
  ],
  [
    'a read-write lock with a clock',
    'struct timespec now = {0, 0}; if (i ? pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &now) : pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &now)) return 0; if (i) data++; else flag = data; pthread_rwlock_unlock(&l);',
    '',
  ],
  ['a spin lock', 'pthread_spin_lock(&spin); data++; pthread_spin_unlock(&spin);', ''],
  ['a semaphore', 'sem_wait(&s); data++; sem_post(&s);', 'sem_init(&s, 0, 1);'],
  [
    'a barrier',
    'if (i) data = 1; pthread_barrier_wait(&barrier); if (!i) data = 2;',
    'pthread_barrier_init(&barrier, 0, 2);',
  ],
  ['once', 'pthread_once(&once, initialise); flag = data;', ''],
  [
    'an acquired flag',
    'if (i) { data = 1; atomic_store_explicit(&flag, 1, memory_order_release); } else if (atomic_load(&flag)) data = 2;',
    '',
  ],
  ['atomics', 'flag++;', ''],
  ['two loads', 'if (data) abort();', ''],
];

describe('no race is found', () => {
  it.each(ORDERED)('in %s', async (_, body, setUp) => {
    const program = await compileC(two(body, setUp));
    for (const model of MODELS) {
      expect(verdict(check(program, model, { strategy: 'enumerate', races: true })), model).toBe('verified');
    }
  });
});

describe('warnings', () => {
  const warn = (program: Program, model: CheckedModel, strategy: StrategyName): readonly Warning[] =>
    check(program, model, { strategy, maxExecutions: 500, keepGoing: true }).warnings;

  // Accesses separated only by a relaxed atomic cannot happen at the same time, unless stores overtake one another.
  it.each(RACY)('are given for %s', async (name, body, setUp) => {
    const program = await compileC(two(body, setUp));
    for (const strategy of STRATEGIES) {
      for (const model of strategy === 'bounded' ? (['sc'] as const) : MODELS) {
        const races = warn(program, model, strategy).filter(({ kind }) => kind === 'race');
        const isApart = name === 'a relaxed flag' && model !== 'pso';
        expect(races.length > 0, `${strategy} ${model}`).toBe(!isApart);
        for (const { message, places } of races) {
          expect(message).toMatch(
            /^data race on `\*?\w+(?:\([^)]*\))?`: (a read|a write|the free|an atomic operation) by thread 0(\.1)? at .*test\.c:\d+:\d+ and (a read|a write|the free) by thread 0(\.1)? at .*test\.c:\d+:\d+ can run concurrently$/,
          );
          expect(places).toHaveLength(2);
        }
        const keys = races.map(({ places }) => JSON.stringify(places));
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  it.each(ORDERED)('are not given for %s', async (_, body, setUp) => {
    const program = await compileC(two(body, setUp));
    for (const strategy of STRATEGIES) {
      for (const model of strategy === 'bounded' ? (['sc'] as const) : MODELS)
        expect(warn(program, model, strategy), `${strategy} ${model}`).toEqual([]);
    }
  });

  it('are errors instead with races', async () => {
    const program = await compileC(two('data = i;'));
    const { errors, warnings } = check(program, 'sc', { strategy: 'optimal', races: true });
    expect([errors.length, warnings]).toEqual([1, []]);
  });
});

describe('leaks', () => {
  const leaks = async (declarations: string, body: string): Promise<readonly Warning[]> => {
    const source = `#include <pthread.h>\n#include <stdlib.h>\n${declarations}\nint main(void) {\n${body}\n}`;
    return check(await compileC(source), 'tso', { strategy: 'optimal' }).warnings;
  };

  it.each([
    ['a block that is forgotten', '', 'int *p = malloc(4); *p = 1; return 0;'],
    ['a list whose head is forgotten', '', 'void **p = malloc(8); *p = malloc(8); return 0;'],
    ['a variable that is overwritten', 'static void *p;', 'p = malloc(4); p = 0; return 0;'],
    ['a thread that ends', 'static void *run(void *x) { return malloc(1) ? 0 : x; }', THREAD],
    ['blocks that only point to each other', '', 'void **p = malloc(8), **q = malloc(8); *p = q; *q = p; return 0;'],
  ])('are found: %s', async (_, declarations, body) => {
    const found = await leaks(declarations, body);
    expect(found.length).toBeGreaterThan(0);
    for (const { kind, message, places } of found) {
      expect(kind).toBe('leak');
      expect(message).toMatch(
        /^leak: \d bytes? allocated at .*test\.c:\d:\d+ (is|are) never freed and unreachable at the end$/,
      );
      expect(places).toHaveLength(1);
    }
  });

  it.each([
    ['a block that is freed', '', 'free(malloc(4)); return 0;'],
    ['a global variable', 'static void *p;', 'p = malloc(4); return 0;'],
    ['the inside of a global', 'static struct { int a; char *p; } s;', 's.p = (char *)malloc(4) + 3; return 0;'],
    ['a list from a global', 'static void **p;', 'p = malloc(8); *p = malloc(8); return 0;'],
    ['a thread-local variable', 'static _Thread_local void *p;', 'p = malloc(4); return 0;'],
    ['a local variable at exit', '', 'void *p = malloc(4); exit(p == 0);'],
    ['a local variable that has an address, at exit', '', 'void *p = malloc(4), **q = &p; exit(*q == 0);'],
    ['the result of a thread', 'static void *run(void *x) { return x ? x : malloc(1); }', THREAD],
    [
      'a recursive mutex',
      'static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;',
      'pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0;',
    ],
  ])('are not found: %s', async (_, declarations, body) => expect(await leaks(declarations, body)).toEqual([]));
});

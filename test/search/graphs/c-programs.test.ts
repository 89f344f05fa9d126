/** C programs under RC11: everything that threads do, from compilation to the verdict, its execution and its replay. */
import { describe, expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Replay } from '../../../src/explore/replay.ts';
import { parseSchedule } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { CheckOptions } from '../../../src/options/check.ts';
import { unansweredQuestion } from '../../../src/pipelines/strategies.ts';
import { check, compileC, verdict } from '../../support/c.ts';

const HEAD = `
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#define LOAD(x, o) atomic_load_explicit(&(x), memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&(x), v, memory_order_##o)
`;

/** Threads run the functions f, g, h; main creates and joins them, then runs \`end\`. */
function program(text: string, threads: string, end = ''): string {
  const names = [...threads];
  const create = names.map((f, i) => `pthread_create(&t[${i}], 0, ${f}, 0);`).join(' ');
  const join = names.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
  return `${HEAD}${text}\nint main(void) { pthread_t t[${names.length}]; ${create} ${join} ${end} return 0; }`;
}

async function rc11(source: string, options: Partial<CheckOptions> = {}) {
  return check(await compileC(source), 'rc11', { strategy: 'optimal', ...options });
}

const SPIN = `atomic_int l; int counter;
void *f(void *u) {
  while (atomic_exchange_explicit(&l, 1, memory_order_acquire)) ;
  counter++;
  STORE(l, 0, release);
  return u;
}`;
const TICKET = `atomic_int next, now; int counter;
void *f(void *u) {
  int me = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (LOAD(now, acquire) != me) ;
  counter++;
  STORE(now, me + 1, release);
  return u;
}`;
const MUTEX = `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int counter;
void *f(void *u) { pthread_mutex_lock(&m); counter++; pthread_mutex_unlock(&m); return u; }`;
const CONDITION = `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, data;
void *f(void *u) {
  pthread_mutex_lock(&m); data = 1; ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  return u;
}
void *g(void *u) {
  pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); assert(data == 1); pthread_mutex_unlock(&m);
  return u;
}`;
const OBJECTS = `sem_t s; pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER; pthread_barrier_t b; pthread_once_t o = PTHREAD_ONCE_INIT;
int data, shared, once; struct big { int a, b; char c[8]; } *p;
void init(void) { once++; }
void *f(void *u) {
  data = 7; sem_post(&s);
  pthread_once(&o, init); assert(once == 1);
  pthread_rwlock_rdlock(&rw); int x = shared; pthread_rwlock_unlock(&rw); assert(x == 0 || x == 5);
  pthread_barrier_wait(&b);
  assert(p->a == 0 && p->c[3] == 9);
  return u;
}
int main(void) {
  pthread_t t; sem_init(&s, 0, 0); pthread_barrier_init(&b, 0, 2);
  p = malloc(sizeof *p); memset(p, 0, sizeof *p); p->c[3] = 9;
  pthread_create(&t, 0, f, 0);
  sem_wait(&s); assert(data == 7);
  pthread_once(&o, init);
  pthread_rwlock_wrlock(&rw); shared = 5; pthread_rwlock_unlock(&rw);
  pthread_barrier_wait(&b);
  pthread_join(t, 0); free(p);
  return 0;
}`;
const SEQLOCK = `atomic_int seq, a, b;
void *f(void *u) {
  STORE(seq, 1, relaxed); atomic_thread_fence(memory_order_release);
  STORE(a, 1, relaxed); STORE(b, 1, relaxed); STORE(seq, 2, release);
  return u;
}
void *g(void *u) {
  int s0 = LOAD(seq, acquire), x = LOAD(a, relaxed), y = LOAD(b, relaxed);
  atomic_thread_fence(memory_order_acquire);
  if (s0 == LOAD(seq, relaxed) && !(s0 & 1)) assert(x == y);
  return u;
}`;
const FIB = (order: string) => `atomic_int i = 1, j = 1;
void *f(void *u) { for (int k = 0; k < 3; k++) STORE(i, LOAD(i, ${order}) + LOAD(j, ${order}), ${order}); return u; }
void *g(void *u) { for (int k = 0; k < 3; k++) STORE(j, LOAD(j, ${order}) + LOAD(i, ${order}), ${order}); return u; }`;

describe('programs are verified, with one execution per graph', () => {
  it.each<[string, string, number]>([
    ['a spin lock', program(SPIN, 'fff', 'assert(counter == 3);'), 6],
    ['a ticket lock', program(TICKET, 'fff', 'assert(counter == 3);'), 6],
    ['a mutex', program(MUTEX, 'ffff', 'assert(counter == 4);'), 24],
    ['a condition variable', program(CONDITION, 'fg'), 2],
    ['semaphore, read-write lock, barrier, once, memory of several sizes', HEAD + OBJECTS, 16],
    ['a sequence lock', program(SEQLOCK, 'fg'), 18],
    // As under PSO, and as under SC.
    ['fib, relaxed', program(FIB('relaxed'), 'fg'), 175],
    ['fib, seq_cst', program(FIB('seq_cst'), 'fg'), 141],
  ])('with %s', async (_, source, executions) => {
    const result = await rc11(source);
    expect(verdict(result)).toBe('verified');
    expect(result.executions).toBe(executions);
  });
});

describe('a trylock that fails before a condition wait gives up the mutex', () => {
  const START = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x, y;';
  const SET = 'pthread_mutex_lock(&m); x = 1; y = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);';
  const TRY = 'if (!pthread_mutex_trylock(&m)) { y = 1; pthread_mutex_unlock(&m); }';
  const WAIT =
    'pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); assert(y == 1); pthread_mutex_unlock(&m);';
  it.each([
    ['in the thread that signals', [TRY + SET, WAIT], 'fg'],
    ['in a third thread', [SET, WAIT, TRY], 'fgh'],
    ['two waits', [SET + SET, WAIT, TRY + WAIT], 'fgh'],
  ])('and has the executions of SC: %s', async (_, texts, threads) => {
    const functions = texts.map((text, i) => `void *${threads[i]}(void *u) { ${text} return u; }`).join('\n');
    const result = await rc11(program(`${START}\n${functions}`, threads));
    const expected = check(await compileC(program(`${START}\n${functions}`, threads)), 'sc', {
      strategy: 'optimal',
      keepGoing: true,
    });
    expect(verdict(result).split(' ')[0]).toBe(verdict(expected).split(' ')[0]);
    expect(result.executions).toBe(expected.executions);
  });
});

const PASSING = (store: string, load: string) =>
  program(
    `atomic_int flag; int data;
void *f(void *u) { data = 42; STORE(flag, 1, ${store}); return u; }
void *g(void *u) { if (LOAD(flag, ${load})) assert(data == 42); return u; }`,
    'fg',
  );

describe('a message', () => {
  it('is received by release and acquire', async () => {
    expect(verdict(await rc11(PASSING('release', 'acquire')))).toBe('verified');
  });

  it.each([
    ['release', 'relaxed', /make the read of `flag` \(line 13\) an acquire$/],
    ['relaxed', 'acquire', /make the write of `flag` \(line 12\) a release$/],
    [
      'relaxed',
      'relaxed',
      /make the write of `flag` \(line 12\) a release and the read of `flag` \(line 13\) an acquire$/,
    ],
  ])('is a race if it is stored %s and loaded %s', async (store, load, advice) => {
    const { errors } = await rc11(PASSING(store, load), { advice: true });
    expect(errors[0]!.error).toMatchObject({ kind: 'race', message: expect.stringContaining('`data` is written') });
    expect(errors[0]!.error.notes![0]).toMatch(advice);
  });
});

describe('creating and joining threads orders seq_cst accesses', () => {
  const TEXT = `atomic_int x, y; int r, s;
void *f(void *u) { y = 1; s = x; return u; }
void *g(void *u) { r = y; return u; }
void *h(void *u) { x = 1; return u; }`;
  const main = (body: string) => `${HEAD}${TEXT}
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); ${body} pthread_join(a, 0); assert(r || s); return 0; }`;

  it.each([
    ['creation', 'x = 1; pthread_create(&b, 0, g, 0); pthread_join(b, 0);'],
    ['a join', 'pthread_create(&b, 0, h, 0); pthread_join(b, 0); r = y;'],
    [
      'a join, then creation',
      'pthread_create(&b, 0, h, 0); pthread_join(b, 0); pthread_create(&b, 0, g, 0); pthread_join(b, 0);',
    ],
  ])('by %s', async (_, body) => {
    const result = await rc11(main(body));
    expect(verdict(result)).toBe('verified');
    expect(result.executions).toBe(check(await compileC(main(body)), 'sc', { strategy: 'optimal' }).executions);
  });
});

describe('violations are found', () => {
  it('in store buffering without seq_cst', async () => {
    const source = (order: string) =>
      program(
        `atomic_int x, y; int a, b;
void *f(void *u) { STORE(x, 1, ${order === 'seq_cst' ? order : 'release'}); a = LOAD(y, ${order}); return u; }
void *g(void *u) { STORE(y, 1, ${order === 'seq_cst' ? order : 'release'}); b = LOAD(x, ${order}); return u; }`,
        'fg',
        'assert(a || b);',
      );
    expect(verdict(await rc11(source('acquire')))).toBe('assertion: a || b');
    expect(verdict(await rc11(source('seq_cst')))).toBe('verified');
  });

  it('in a lock that is not given back because of what was read', async () => {
    const source = program(
      `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; atomic_int z;
void *f(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return u; }
void *g(void *u) { pthread_mutex_lock(&m); if (z == 0) pthread_mutex_unlock(&m); return u; }
void *h(void *u) { z = 1; return u; }`,
      'fgh',
    );
    expect(verdict(await rc11(source))).toMatch(/^deadlock: .*waits for the lock m/);
  });

  it('in locks in two orders', async () => {
    const source = program(
      `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *f(void *u) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return u; }
void *g(void *u) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return u; }`,
      'fg',
    );
    expect(verdict(await rc11(source))).toMatch(/^deadlock/);
  });

  it('in a loop that waits for what nobody writes', async () => {
    const source = program(
      `atomic_int x;
void *f(void *u) { while (!LOAD(x, relaxed)) ; return u; }
void *g(void *u) { STORE(x, 1, relaxed); STORE(x, 0, relaxed); return u; }`,
      'fg',
    );
    expect(verdict(await rc11(source))).toMatch(/^liveness/);
  });

  it('in a free that nothing orders with an access', async () => {
    const source = program(
      `_Atomic(int *) p; int start = 1;
void *f(void *u) { int *q = LOAD(p, acquire); if (q) *q = 1; return u; }
void *g(void *u) { int *q = malloc(sizeof *q); STORE(p, q, release); free(q); return u; }`,
      'fg',
    );
    expect(verdict(await rc11(source))).toMatch(/^(race: .*freed|memory: )/);
  });
});

describe('the end of an object that others use', () => {
  const source = (use: string) =>
    program(
      `struct { pthread_mutex_t m; pthread_cond_t c; int n; } *p;
void *f(void *u) { ${use} return u; }
void *g(void *u) { free(p); return u; }
__attribute__((constructor)) void init(void) { p = malloc(sizeof *p); pthread_mutex_init(&p->m, 0); pthread_cond_init(&p->c, 0); }`,
      'fg',
    );
  it.each([
    ['a mutex', 'pthread_mutex_lock(&p->m); pthread_mutex_unlock(&p->m);'],
    ['a condition variable', 'pthread_cond_signal(&p->c);'],
    ['a variable', 'p->n = 1;'],
  ])('%s: a race, though the use came first', async (_, use) => {
    expect(verdict(await rc11(source(use)))).toMatch(/^race: .*freed$/);
    for (const model of ['sc', 'tso', 'pso'] as const) {
      const result = check(await compileC(source(use)), model, { strategy: 'graph' });
      expect(result.bounds[0]).toMatch(
        /^not modelled: the beginning or end of an object that nothing orders with an access \(/,
      );
      expect(verdict(check(await compileC(source(use)), model, { strategy: 'optimal' }))).toMatch(
        /^memory: use after free/,
      );
    }
  });
});

describe('strategy graph', () => {
  it('knows that a condition wait, which gives up its mutex, waits for the stores before it', async () => {
    const source = program(
      `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec soon; atomic_int x;
void *f(void *u) {
  STORE(x, 1, relaxed); pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &soon); pthread_mutex_unlock(&m);
  return u;
}
void *g(void *u) { pthread_cond_broadcast(&c); STORE(x, 2, relaxed); return u; }`,
      'fg',
    );
    // Under PSO the lock does not wait for them. If x = 2 comes first, so does the broadcast, and wakes no thread.
    const found = async (strategy: 'graph' | 'optimal') => {
      const result = check(await compileC(source), 'pso', { strategy });
      return [verdict(result), result.executions];
    };
    expect(await found('graph')).toEqual(['verified', 4]);
    expect(await found('optimal')).toEqual(['verified', 4]);
  });

  it.each([
    ['sc', 'verified', 3],
    ['tso', 'assertion: a || b', undefined],
    ['pso', 'assertion: a || b', undefined],
  ] as const)('gives the answers of %s, with an execution of its machine', async (model, expected, executions) => {
    const source = program(
      `atomic_int x, y; int a, b;
void *f(void *u) { STORE(x, 1, relaxed); a = LOAD(y, relaxed); return u; }
void *g(void *u) { STORE(y, 1, relaxed); b = LOAD(x, relaxed); return u; }`,
      'fg',
      'assert(a || b);',
    );
    const compiled = await compileC(source);
    const result = check(compiled, model, { strategy: 'graph' });
    expect(verdict(result)).toBe(expected);
    if (executions !== undefined) expect(result.executions).toBe(executions);
    const [found] = result.errors;
    if (found === undefined) return;
    const machine = new Machine(compiled, model);
    expect(explore(machine, new Replay(parseSchedule(machine, found.schedule))).errors[0]!.error).toEqual(found.error);
  });

  it.each([
    [
      'three tries',
      `pthread_mutex_t m;
void *f(void *u) { if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m); return u; }`,
      'fff',
      21,
      24,
    ],
    [
      'a loop that waits when the program ends',
      `atomic_int x;
void *f(void *u) { x = 1; x = 2; x = 3; atomic_fetch_and(&x, 0); return u; }
void *g(void *u) { while (!x || !x) ; return u; }`,
      'fg',
      11,
      10,
    ],
  ] as const)('counts in its own way: %s', async (name, text, threads, optimal, graphs) => {
    const whole = program(text, threads);
    // No thread waits for a waiting thread.
    const compiled = await compileC(name.includes('loop') ? whole.replaceAll(/pthread_join\([^;]*;/g, '') : whole);
    const options = { spin: true, countOrders: true };
    expect(check(compiled, 'sc', { ...options, strategy: 'optimal' }).executions).toBe(optimal);
    expect(check(compiled, 'sc', { ...options, strategy: 'graph' }).executions).toBe(graphs);
  });

  it('is not asked what only schedules answer', () => {
    const options = { strategy: 'graph', races: true } as CheckOptions;
    expect(unansweredQuestion(options, 'tso')).toMatch('--races is for strategies that run the machine');
    expect(unansweredQuestion(options, 'rc11')).toBeUndefined();
    expect(unansweredQuestion({ ...options, robust: true }, 'rc11')).toMatch('rc11 does not support robust');
    expect(unansweredQuestion({ ...options, strategy: 'optimal', robust: true }, 'tso')).toBeUndefined();
  });

  it('never lets threads wait in front of reads', async () => {
    const compiled = await compileC(program(SPIN, 'ff'));
    for (const model of ['sc', 'tso', 'pso', 'rc11'] as const) {
      expect(new Machine(compiled, model, {}, { spin: true, awaits: true, graphs: true }).idleWaits).toBeUndefined();
    }
  });
});

describe('what is not modelled is named', () => {
  it('such as atomic accesses of different sizes that nothing orders', async () => {
    const source = program(
      `union { atomic_int word; atomic_char byte[4]; } x;
void *f(void *u) { STORE(x.word, 1, relaxed); return u; }
void *g(void *u) { return (void *)(long)LOAD(x.byte[0], relaxed); }`,
      'fg',
    );
    const result = await rc11(source);
    expect(verdict(result)).toBe('inconclusive');
    expect(result.bounds[0]).toMatch(
      /^not modelled: accesses of different sizes that nothing orders \(.*:\d+:\d+ and .*:\d+:\d+\)$/,
    );
  });
});

/**
 * Waiting loops need no executions of their own: counts on which the literature and other checkers agree. The number of
 * complete executions is the number of orders in which threads enter: n! for a lock that all try at once.
 */
import { describe, expect, it } from 'vitest';
import type { CheckOptions } from '../../../src/options/check.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { Program } from '../../../src/program/ir.ts';
import { withoutCode } from '../../../src/util/code-text.ts';
import { check, compileC, MODELS } from '../../support/c.ts';

const LOCK = (state: string, lock: string, unlock: string, n: number): string => `
  #include <assert.h>
  #include <pthread.h>
  #include <stdatomic.h>
  ${state} int inside;
  static void *f(void *_) { ${lock} inside++; ${unlock} return 0; }
  int main(void) {
    pthread_t t[${n}];
    for (int i = 0; i < ${n}; i++) pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < ${n}; i++) pthread_join(t[i], 0);
    assert(inside == ${n});
  }`;

const LOCKS: readonly (readonly [
  name: string,
  state: string,
  lock: string,
  unlock: string,
  count: (n: number) => number,
])[] = [
  [
    'ticket lock',
    'static atomic_int next, serving;',
    'int own = atomic_fetch_add(&next, 1); while (atomic_load(&serving) != own) ;',
    'atomic_store(&serving, own + 1);',
    factorial,
  ],
  [
    'test-and-set lock',
    'static atomic_int lock;',
    'while (atomic_exchange(&lock, 1)) ;',
    'atomic_store(&lock, 0);',
    factorial,
  ],
  [
    // Each thread sees the lock free in one of the gaps before it takes it.
    'lock that looks before it exchanges',
    'static atomic_int lock;',
    'do { while (atomic_load(&lock)) ; } while (atomic_exchange(&lock, 1));',
    'atomic_store(&lock, 0);',
    (n) => factorial(n) ** 2,
  ],
  [
    'lock that waits with loads when its exchange has failed',
    'static atomic_int lock;',
    'while (atomic_exchange(&lock, 1)) while (atomic_load(&lock)) ;',
    'atomic_store(&lock, 0);',
    factorial,
  ],
  [
    'lock that waits with loads when its compare-exchange has failed',
    'static atomic_int lock;',
    'int free = 0; while (!atomic_compare_exchange_weak(&lock, &free, 1)) { do free = atomic_load(&lock); while (free); }',
    'atomic_store(&lock, 0);',
    factorial,
  ],
  [
    'compare-exchange lock',
    'static atomic_int lock;',
    'int free = 0; while (!atomic_compare_exchange_weak(&lock, &free, 1)) free = 0;',
    'atomic_store(&lock, 0);',
    factorial,
  ],
  [
    'trylock',
    'static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;',
    'while (pthread_mutex_trylock(&lock)) ;',
    'pthread_mutex_unlock(&lock);',
    factorial,
  ],
];

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

const OPTIONS: Partial<CheckOptions> = { strategy: 'optimal', monitors: false };

function checkWith(program: Program, options: Partial<CheckOptions>): readonly ModelResult[] {
  return MODELS.map((model) => check(program, model, options));
}

describe.each(LOCKS)('%s', (_, state, lock, unlock, count) => {
  it.each([2, 3, 4])('has every order of %i threads once, and none is blocked', async (n) => {
    const program = await compileC(LOCK(state, lock, unlock, n));
    for (const result of checkWith(program, OPTIONS)) {
      expect([result.model, result.verdict.kind, result.executions, result.blocked]).toEqual([
        result.model,
        'verified',
        count(n),
        0,
      ]);
    }
  });

  it('counts as many complete executions with all orders', async () => {
    const program = await compileC(LOCK(state, lock, unlock, 3));
    for (const result of checkWith(program, { ...OPTIONS, countOrders: true })) {
      expect([result.verdict.kind, result.executions]).toEqual(['verified', count(3)]);
    }
  });
});

const THREADS = (globals: string, bodies: readonly string[], final = ''): string => `
  #include <assert.h>
  #include <pthread.h>
  #include <stdatomic.h>
  ${globals}
  ${bodies.map((body, i) => `static void *f${i}(void *_) { ${body} return 0; }`).join('\n')}
  int main(void) {
    pthread_t t[${bodies.length}];
    ${bodies.map((_, i) => `pthread_create(&t[${i}], 0, f${i}, 0);`).join(' ')}
    ${bodies.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ')}
    ${final}
  }`;

it.each([
  [
    'five threads that wait for a counter to reach 8',
    ['for (int i = 0; i < 8; i++) atomic_fetch_add(&x, 1);', ...repeat(5, 'while (atomic_load(&x) < 8) ;')],
    1,
  ],
  [
    'a load before the loop and one at its end',
    ['for (int i = 1; i <= 16; i++) atomic_store(&x, i);', 'int a = x; while (a != 16) a = x;'],
    1,
  ],
])('every complete execution occurs once, and none is blocked: %s', async (_, bodies, count) => {
  const program = await compileC(THREADS('static atomic_int x;', bodies));
  for (const { verdict, executions, blocked } of checkWith(program, OPTIONS)) {
    expect([verdict.kind, executions, blocked]).toEqual(['verified', count, 0]);
  }
});

/**
 * A thread that has read one of two places waits for the other. Whether in vain, only the future tells (decision 24).
 */
it('what waits in two places is blocked, which cannot be avoided', async () => {
  const take = 'atomic_compare_exchange_strong(&z, &(int){0}, 1)';
  const bodies = ['while (x != 1 && y != 1) ;', `x = 2; if (${take}) y = 1; else x = 1;`, `${take};`];
  const program = await compileC(THREADS('static atomic_int x, y, z;', bodies));
  for (const { verdict, executions, blocked } of checkWith(program, OPTIONS)) {
    expect([verdict.kind, executions, blocked]).toEqual(['verified', 3, 2]);
  }
});

/** One execution for each order of the increments. Blocked: some thread has read before another's increment. */
it.each([
  ['0', 3, 6, 6],
  ['0', 4, 24, 60],
  ['x', 3, 6, 15],
  ['x', 4, 24, 124],
])('retries from %s by %i threads have an execution for each order', async (start, n, executions, blocked) => {
  const retry = `int old = ${start}; while (!atomic_compare_exchange_strong(&x, &old, old + 1)) ;`;
  const program = await compileC(THREADS('static atomic_int x;', repeat(n, retry), `assert(x == ${n});`));
  for (const result of checkWith(program, OPTIONS)) {
    expect([result.verdict.kind, result.executions, result.blocked]).toEqual(['verified', executions, blocked]);
  }
});

/** Programs in which waiting too long, or in the wrong place, would hide the error. */
it.each([
  [
    'halves of a word, which let it go on only if both are missing',
    'static union { atomic_short half[2]; atomic_int whole; } x;',
    ['x.half[0] = 1;', 'x.half[1] = 1;', 'int v; do v = x.whole; while (v != 0 && v != 0x10001); assert(v != 0);'],
    'assertion',
  ],
  [
    'bytes of a word',
    'static union { atomic_char byte[4]; atomic_int whole; } x;',
    [
      'x.byte[0] = 1; x.byte[1] = 1;',
      'x.byte[2] = 1;',
      'int v; do v = x.whole; while (v != 1 && v != 0x10101); assert(v != 1);',
    ],
    'assertion',
  ],
  [
    'a bad address inside the loop',
    'static atomic_int flag; static atomic_int *p;',
    ['flag = 1;', 'while (!flag) (void)atomic_load(p);'],
    'memory',
  ],
  [
    'an inner loop that may never end',
    'static atomic_int x, y;',
    ['while (!x) while (y) ;', 'y = 1; x = 1;'],
    'liveness',
  ],
  [
    'a lock that backs off for ever',
    'static atomic_int l, w;',
    ['while (atomic_exchange(&l, 1)) { while (w == 1) ; } l = 0;', 'w = 1; while (atomic_exchange(&l, 1)) ; l = 0;'],
    'liveness',
  ],
  [
    'retries that toggle',
    'static atomic_int x;',
    [
      'int old = 0, t = 0; while (!atomic_compare_exchange_strong(&x, &old, old + 1)) t = !t; assert(old == 0 || t);',
      'x = 2; x = 3;',
    ],
    'assertion',
  ],
  [
    'retries that compare what they find',
    'static atomic_int x;',
    [
      'int old = 0; for (;;) { int e = old; if (atomic_compare_exchange_strong(&x, &e, 7)) break; assert(!(old == 2 && e == 3)); old = e; }',
      'x = 2; x = 3;',
    ],
    'assertion',
  ],
  [
    'retries of which the first is different',
    'static atomic_int x, wrong;',
    [
      'int old = 0, now = 1; while (!atomic_compare_exchange_strong(&x, &old, now)) now = 5; assert(now != 5 || old != 0);',
      'x = 2; x = 0;',
    ],
    'assertion',
  ],
  [
    'retries while another thread prints',
    '#include <stdio.h>\nstatic atomic_int x, z; static int add(void) { int o = x; while (!atomic_compare_exchange_strong(&x, &o, o + 1)) ; return o; }',
    ['assert(add() == 0);', 'add(); (void)atomic_load(&z);', 'z = 1; puts("c");'],
    'assertion',
  ],
  [
    'retries that sleep',
    '#include <time.h>\n#include <unistd.h>\nstatic atomic_int x;',
    [
      'struct timespec s, e; clock_gettime(CLOCK_MONOTONIC, &s); int o = x; while (!atomic_compare_exchange_strong(&x, &o, o + 1)) usleep(1000000); clock_gettime(CLOCK_MONOTONIC, &e); assert(e.tv_sec == s.tv_sec);',
      'x = 5;',
    ],
    'assertion',
  ],
])('finds the error behind %s', async (_, globals, bodies, kind) => {
  const program = await compileC(THREADS(globals, bodies));
  for (const options of [OPTIONS, { ...OPTIONS, strategy: 'source' as const }, { ...OPTIONS, countOrders: true }]) {
    for (const { model, errors } of checkWith(program, options)) {
      expect([model, errors[0]?.error.kind]).toEqual([model, kind]);
    }
  }
});

it.each([
  ['a plain flag', 'static int x;', ['x = 1;', 'while (!x) ;']],
  ['a plain flag and what it protects', 'static int x, d;', ['d = 1; x = 1;', 'while (!x) ; d = 2;']],
  [
    'a plain flag after an atomic one',
    'static int x; static atomic_int a;',
    ['a = 1; x = 1;', 'while (!a) ; while (!x) ;'],
  ],
])('warns of the races of %s as threads that read do', async (_, globals, bodies) => {
  const program = await compileC(THREADS(globals, bodies));
  const warnings = (countOrders: boolean): readonly (readonly string[])[] =>
    checkWith(program, { ...OPTIONS, countOrders }).map((r) => r.warnings.map(({ message }) => message).sort());
  expect(warnings(false)[0]!.length).toBeGreaterThan(0);
  expect(warnings(false)).toEqual(warnings(true));
});

it('a retry that would come to rest does not fail', async () => {
  const retry = 'int e = x; do { if (e == 1) e = x; } while (e == 1 || !atomic_compare_exchange_strong(&x, &e, 2));';
  const program = await compileC(
    THREADS('static atomic_int x;', ['atomic_store_explicit(&x, 1, memory_order_relaxed); x = 2;', retry]),
  );
  for (const { verdict } of checkWith(program, OPTIONS)) expect(verdict.kind).toBe('verified');
});

it('reads halves that two threads write, in every order', async () => {
  const globals = 'static union { atomic_ushort half[2]; atomic_uint whole; } u;';
  const [low, high] = ['atomic_store(&u.half[0], 1);', 'atomic_store(&u.half[1], 1);'];
  // Either half lets it continue: the low one alone, the high one alone, or both.
  const either = await compileC(THREADS(globals, [low, high, 'while (!atomic_load(&u.whole)) ;']));
  const both = await compileC(THREADS(globals, [low, high, 'while (atomic_load(&u.whole) != 0x10001) ;']));
  expect(checkWith(either, OPTIONS).map(({ executions }) => executions)).toEqual(MODELS.map(() => 3));
  expect(checkWith(both, OPTIONS).map(({ executions }) => executions)).toEqual(MODELS.map(() => 1));
});

it('names no loop that ends, if only the number of random runs is a bound', async () => {
  const program = await compileC(THREADS('static atomic_int a;', ['for (int i = 0; i < 40; i++) a++;', 'a = 1;']));
  for (const [maxSteps, loops] of [
    [undefined, 0],
    [30, 1],
  ] as const) {
    const [sc] = checkWith(program, { ...OPTIONS, strategy: 'random', maxExecutions: 20, maxSteps });
    expect([maxSteps, sc!.verdict.kind, sc!.loops.length]).toEqual([maxSteps, 'inconclusive', loops]);
  }
});

it('names loops that it runs iteration by iteration', async () => {
  const several = THREADS('static atomic_int a = 1, b = 1;', ['while (a && b) ;', 'a = 0;']);
  const [sc] = checkWith(await compileC(several), OPTIONS);
  expect([sc!.verdict.kind, sc!.loops.map(({ why }) => why)]).toEqual([
    'verified',
    [expect.stringContaining('several places')],
  ]);
  const writes = THREADS('static atomic_int a, tries;', ['while (!a) tries = 1 - tries;', 'a = 1;']);
  const [cut] = checkWith(await compileC(writes), { ...OPTIONS, maxSteps: 200, maxExecutions: 5 });
  expect(cut!.loops.map(({ why }) => why)).toEqual(['runs on: each iteration writes `tries`']);
});

it('calls recursion by its name, also where each call has a loop of its own', async () => {
  const recursive = THREADS('static atomic_int a, b; static void f(int n) { a = n; b = n; f(n + 1); b = 0; }', [
    'f(0);',
  ]);
  const [cut] = checkWith(await compileC(recursive), { ...OPTIONS, maxSteps: 1000 });
  expect(cut!.loops).toEqual([expect.objectContaining({ why: 'runs on: each call writes `a`', isRecursion: true })]);
  const deep =
    'static atomic_int a; static void f(int n) { a = n; if (n > 0) f(n - 1); else while (1) { a = 1 - a; } a = 0; }';
  const [looping] = checkWith(await compileC(THREADS(deep, ['f(20);'])), { ...OPTIONS, maxSteps: 1000 });
  expect(looping!.loops.map(({ isRecursion }) => isRecursion)).toEqual([undefined]);
});

it.each([
  ['a local variable', 'int n = 0; while (!x) n++; last = n;', 'changes n'],
  // Without the counters, these rounds undo themselves (decision 49), and the search ends.
  [
    'a mutex',
    'int v, n = 0; do { pthread_mutex_lock(&m); v = x; pthread_mutex_unlock(&m); n++; } while (!v); last = n;',
    'writes m',
  ],
  ['errno by a failed call', 'int n = 0; while (sem_trywait(&s) != 0) n++; last = n;', 'writes errno'],
  ['errno', 'while (!x) errno = 0;', 'writes errno'],
  ['a thread-local variable', 'while (!x) own++;', 'writes own'],
  ['what it has written before', 'while (!x) y = 1;', 'writes y'],
  ['the heap', 'while (!x) free(malloc(8));', 'writes block(test.c:'],
  ['the output', 'while (!x) puts("wait");', 'prints'],
])('names a loop that changes %s, in a search that is cut', async (_, body, why) => {
  const globals = `#include <errno.h>
    #include <semaphore.h>
    #include <stdio.h>
    #include <stdlib.h>
    static atomic_int x, y, last; static _Thread_local int own;
    static sem_t s; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;`;
  const program = await compileC(THREADS(globals, [body, 'sem_post(&s); x = 1; y = 5;'].reverse()));
  const sc = check(program, 'sc', { ...OPTIONS, maxExecutions: 40 });
  expect(sc.verdict.kind).toBe('inconclusive');
  const reasons = sc.loops.map((loop) => withoutCode(loop.why));
  expect(reasons).toContainEqual(expect.stringContaining(`each iteration ${why}`));
});

it('does not name a loop that only takes long', async () => {
  const program = await compileC(
    THREADS('static atomic_int x;', ['for (int i = 0; i < 40; i++) x = i;', 'for (int i = 0; i < 1; i++) (void)x;']),
  );
  const [sc] = checkWith(program, OPTIONS);
  expect([sc!.verdict.kind, sc!.loops]).toEqual(['verified', []]);
});

function repeat<T>(count: number, value: T): T[] {
  return new Array<T>(count).fill(value);
}

// A thread that counts its attempts must take the exchange, because the count makes a difference. The others still
// wait: if the five that wait for 8 read while waiting, there are 59,049 ways.
it('a thread that may not wait in front of its exchange does not keep others from waiting', async () => {
  const program = await compileC(`
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int lock, n;
    static int inside;
    static void *f(void *_) {
      int tries = 0;
      while (atomic_exchange(&lock, 1)) { tries++; while (atomic_load(&lock)) ; }
      inside += 1 + (tries > 9);
      atomic_store(&lock, 0);
      return 0;
    }
    static void *add(void *_) { for (int i = 0; i < 8; i++) atomic_fetch_add(&n, 1); return 0; }
    static void *wait(void *_) { while (atomic_load(&n) != 8) ; return 0; }
    int main(void) {
      pthread_t t[8];
      pthread_create(&t[0], 0, f, 0);
      pthread_create(&t[1], 0, f, 0);
      pthread_create(&t[2], 0, add, 0);
      for (int i = 3; i < 8; i++) pthread_create(&t[i], 0, wait, 0);
      for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
      assert(inside == 2);
    }`);
  for (const model of MODELS) {
    const { verdict, executions, blocked } = check(program, model, { strategy: 'optimal', maxExecutions: 1000 });
    expect([verdict.kind, executions, blocked], model).toEqual(['verified', 4, 0]);
  }
});

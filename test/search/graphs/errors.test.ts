/** Every error that a program can have is found under RC11 too, and its execution is shown. */
import { describe, expect, it } from 'vitest';
import { Machine } from '../../../src/machine/machine.ts';
import { traceExecution } from '../../../src/report/story/execution.ts';
import { check, compileC, verdict } from '../../support/c.ts';
import { WRONG, WRONG_SOURCE } from '../../support/c-wrong.ts';

const HEAD = `
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
`;

/** The events of the first error's execution. */
async function story(source: string, entry = 'main') {
  const program = await compileC(source, { entry });
  const result = check(program, 'rc11', { strategy: 'optimal' });
  const { events } = traceExecution(new Machine(program, 'rc11'), result.errors[0]!.schedule);
  return { verdict: verdict(result), events };
}

it.each(Object.entries(WRONG))('the error of %s is found', async (entry, expected) => {
  const told = await story(WRONG_SOURCE, entry);
  expect(told.verdict).toBe(expected);
});

describe('an access that fails is the last row, without a value', () => {
  it.each([
    ['of freed memory', 'int *q = p; if (q) { free(q); r = *q; }', 'load'],
    ['outside an object', 'int *q = p; if (q) r = q[7];', 'load'],
    ['atomic', 'int *q = p; if (q) { free(q); atomic_fetch_add((atomic_int *)q, 1); }', 'rmw'],
  ])('be it %s', async (_, text, kind) => {
    const { verdict: found, events } = await story(`${HEAD}
_Atomic(int *) p; int r;
void *f(void *u) { ${text} return u; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0); p = calloc(1, sizeof *p); pthread_join(t, 0);
  return 0;
}`);
    expect(found).toMatch(/^memory: /);
    expect(events.at(-1)).toMatchObject({ kind, thread: '0.1' });
    expect(events.at(-1)).not.toHaveProperty('read');
  });
});

describe('an access fails in memory that has ended, and that was written before', () => {
  it.each([
    ['reads', 'int *q = calloc(1, 4); *q = 1; free(q); LOAD(x); r = *q;'],
    ['writes', 'int *q = calloc(1, 4); *q = 1; free(q); LOAD(x); *q = 2;'],
    ['changes', 'atomic_int *q = calloc(1, 4); LOAD(*q); *q = 1; free(q); atomic_fetch_add(q, 1);'],
  ])('if it %s', async (_, text) => {
    const source = `${HEAD}
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
atomic_int x; int r;
int main(void) { ${text} return 0; }`;
    expect((await story(source)).verdict).toMatch(/^memory: use after free/);
  });
});

describe('a race after which nobody can go on is replayed', () => {
  it.each([
    ['an assumption', 'fencepost_assume(x); return u;', ''],
    ['a deadlock', 'pthread_mutex_lock(&m); return u;', 'pthread_mutex_lock(&m);'],
  ])('because of %s', async (_, first, before) => {
    const source = `${HEAD}
#include <fencepost.h>
atomic_int x; int d; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *u) { ${first} }
void *g(void *u) { d = 1; return u; }
int main(void) {
  ${before} pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  d = 2; pthread_join(a, 0);
  return 0;
}`;
    // `check` replays what it finds.
    expect((await story(source)).verdict).toMatch(/^race: d is written/);
  });
});

describe('a spin lock that another thread overwrites: graphs and Optimal-DPOR agree, or graphs refuse', () => {
  it.each(['l = 7', 'l = 0', '*(char *)&l = 0', '((char *)&l)[3] = 1', 'pthread_spin_init(&l, 0)'])(
    'with %s',
    async (write) => {
      const program = await compileC(`${HEAD}pthread_spinlock_t l;
void *f(void *u) { pthread_spin_lock(&l); pthread_spin_unlock(&l); return u; }
void *g(void *u) { ${write}; return u; }
int main(void) {
  pthread_t a, b; pthread_spin_init(&l, 0);
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}`);
      for (const model of ['tso', 'pso'] as const) {
        const graph = verdict(check(program, model, { strategy: 'graph' }));
        const wanted = graph === 'inconclusive' ? graph : verdict(check(program, model, { strategy: 'optimal' }));
        expect(graph.split(':')[0]).toBe(wanted.split(':')[0]);
      }
      expect(verdict(check(program, 'rc11', { strategy: 'optimal' }))).toMatch(/^race: /);
    },
  );
});

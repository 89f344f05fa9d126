/** Numbers of executions of programs whose read-modify-writes commute; and options turn this off. */
import { expect, it } from 'vitest';
import type { CheckOptions } from '../../../src/options/check.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { Program } from '../../../src/program/ir.ts';
import { check, compileC, MODELS } from '../../support/c.ts';

function checkWith(program: Program, options: Partial<CheckOptions>): readonly ModelResult[] {
  return MODELS.map((model) => check(program, model, { strategy: 'optimal', monitors: false, ...options }));
}

const OPERATION = (body: string): string =>
  `static void *f(void *own) { long i = (long)own; (void)i; ${body} return 0; }`;
const RUN = (n: number): string =>
  `int main(void) { pthread_t t[${n}]; for (long i = 0; i < ${n}; i++) pthread_create(&t[i], 0, f, (void *)i);
     for (int i = 0; i < ${n}; i++) pthread_join(t[i], 0); return 0; }`;
const source = (n: number, body: string): string =>
  `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y; int z;
${OPERATION(body)}
${RUN(n)}`;
const cases: readonly [name: string, n: number, body: string, executions: number, ordered: number][] = [
  ['fetch_add', 8, 'atomic_fetch_add(&x, 1);', 1, 40320],
  ['fetch_add and fetch_sub', 5, 'if (i & 1) atomic_fetch_add(&x, i); else atomic_fetch_sub(&x, 3);', 1, 120],
  ['fetch_xor, relaxed', 5, 'atomic_fetch_xor_explicit(&x, i, memory_order_relaxed);', 1, 120],
  ['fetch_or', 6, 'atomic_fetch_or(&x, 1 << i);', 1, 720],
  ['fetch_and', 5, 'atomic_fetch_and(&x, ~(1 << i));', 1, 120],
  ['a counter that more wait for', 15, 'atomic_fetch_add(&x, 1); while (x < 15) ;', 1, 15 ** 9],
  ['a counter that all wait for', 7, 'atomic_fetch_add(&x, 1); while (x < 7) ;', 1, 5040],
  [
    'two counters, one after the other',
    4,
    'atomic_fetch_add(&x, 1); while (x < 4) ; atomic_fetch_add(&y, 1); while (y < 4) ;',
    1,
    576,
  ],
  ['an or and additions', 4, 'if (i == 0) atomic_fetch_or(&x, 8); else atomic_fetch_add(&x, 1);', 8, 24],
  [
    'a compare-exchange',
    5,
    'int e = 5; if (i == 4) z = atomic_compare_exchange_strong(&x, &e, 99); else atomic_fetch_add(&x, 1 << i);',
    16,
    120,
  ],
  ['a result that is used', 3, 'if (i == 0) z = atomic_fetch_add(&x, 1); else atomic_fetch_add(&x, 1);', 4, 6],
  ['results that are all used', 4, 'if (atomic_fetch_add(&x, 1) == 7) z = 1;', 24, 24],
  ['exchanges', 4, 'atomic_exchange(&x, 1);', 24, 24],
  ['a store', 4, 'if (i == 0) x = 1; else atomic_fetch_add(&x, 1);', 8, 24],
  [
    'parts of a place',
    2,
    'if (i == 0) __atomic_fetch_add((char *)&x, 1, 5); else __atomic_fetch_add((int *)&x, 1, 5);',
    2,
    2,
  ],
];

it.each(cases)('writes that commute are counted once: %s, %i threads', async (_, n, body, executions, ordered) => {
  const program = await compileC(source(n, body));
  for (const result of checkWith(program, {})) {
    expect([result.verdict.kind, result.executions, result.blocked], result.model).toEqual(['verified', executions, 0]);
  }
  if (ordered > 1000) return;
  for (const result of checkWith(program, { countOrders: true })) {
    expect(result.executions + result.blocked, result.model).toBeGreaterThanOrEqual(ordered);
  }
});

it.each([
  ['races', { races: true }],
  ['robust', { robust: true }],
  ['enumerate', { strategy: 'enumerate' as const }],
])('%s looks at every order', async (_, options) => {
  const program = await compileC(source(4, 'atomic_fetch_add(&x, 1);'));
  for (const { executions } of checkWith(program, options)) expect(executions).toBe(24);
});

const SUM = (first: string, second: string, sum: string): string => `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *f(void *own) { for (int i = 0; i < 14; i++) atomic_fetch_add(&x, ${first}); return 0; }
static void *h(void *own) { ${second} return 0; }
static void *g(void *own) { while (x != ${sum}) ; return 0; }
int main(void) { pthread_t t[3]; pthread_create(&t[0], 0, f, 0); pthread_create(&t[1], 0, h, 0); pthread_create(&t[2], 0, g, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }`;

it('waits for the sum of many', async () => {
  const program = await compileC(SUM('1', 'for (int i = 0; i < 14; i++) atomic_fetch_add(&x, 1);', '28'));
  for (const { verdict, executions, blocked } of checkWith(program, {}))
    expect([verdict.kind, executions, blocked]).toEqual(['verified', 1, 0]);
});

it('waits for the sum of too many different ones, and begins again with their order', async () => {
  const program = await compileC(SUM('1 << i', 'atomic_fetch_add(&x, 1 << 14);', '(1 << 15) - 1'));
  // The second thread's operation has 15 places among those of the first.
  for (const { verdict, executions } of checkWith(program, {}))
    expect([verdict.kind, executions]).toEqual(['verified', 15]);
});

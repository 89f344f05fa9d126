/** [RELAXER] Fig. 1, 2, 10, 11, 12 and 13, by hunting. Cycles are named by the figures' lines, as the paper does. */
import { describe, expect, it } from 'vitest';
import type { CycleResult, HuntResult } from '../../src/pipelines/hunt/result.ts';
import type { Program } from '../../src/program/ir.ts';
import { check, compileC } from '../support/c.ts';
import { confirmed, expectNoFalseAlarm, figureLines, harmful, hunt, loadBenchmark } from '../support/hunt.ts';

/** A program of two threads whose lines are numbered as in the figure. */
function twoThreads(globals: string, thread1: string, thread2: string, end: string): Promise<Program> {
  return compileC(`#include <assert.h>
#include <pthread.h>
${globals}
static void *thread1(void *unused) { ${thread1} return unused; }
static void *thread2(void *unused) { ${thread2} return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, thread1, 0);
  pthread_create(&b, 0, thread2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  ${end}
  return 0;
}`);
}

const lines = ({ places }: CycleResult): string => places.map(({ location }) => location!.variable).join(' ');

describe('Fig. 1', () => {
  const figure1 = () =>
    twoThreads('volatile int x, y; int t1, t2;', 'x = 1; t1 = y;', 'y = 1; t2 = x;', 'assert(t1 == 1 || t2 == 1);');

  it.each(['tso', 'pso', 'pslo'] as const)('is confirmed and harmful under %s', async (model) => {
    const program = await figure1();
    const result = hunt(program, model, { trials: 10 });
    expect(harmful(result).map(lines)).toEqual(['x y y x']);
    expect(result.verdict.kind).toBe('violation');
    expect(result.errors[0]!.error).toMatchObject({ kind: 'assertion', message: 't1 == 1 || t2 == 1' });
    expectNoFalseAlarm(program, result);
  });
});

describe('Fig. 2', () => {
  const figure2 = () =>
    twoThreads(
      'volatile int x, y, done; int local;',
      'x = 1; y = 1; done = 1;',
      'if (done) { if (x == 0) assert(!"ERROR"); local = y; }',
      '',
    );

  it('has the two cycles of Sect. 3, one harmful and one benign, under pso', async () => {
    const program = await figure2();
    const result = hunt(program, 'pso');
    expect(result.predicted).toBe(2);
    expect(confirmed(result).map(lines).sort()).toEqual(['x done done x', 'y done done y']);
    expect(harmful(result).map(lines)).toEqual(['x done done x']);
    expect(result.errors.map(({ error }) => error.message)).toEqual(['!"ERROR"']);
    expectNoFalseAlarm(program, result);
  });

  it('has none under tso', async () => {
    const result = hunt(await figure2(), 'tso');
    expect(result.cycles).toEqual([]);
    expect(result.verdict.kind).toBe('inconclusive');
  });
});

describe('Fig. 10, partial initialisation', () => {
  const cyclesOf = (result: HuntResult, of: (r: HuntResult) => readonly CycleResult[]): readonly string[] =>
    of(result)
      .map((cycle) => figureLines(cycle, 'relaxer/ms2.c'))
      .sort();

  it('is harmful under pso: the value is seen after the link', async () => {
    const program = await loadBenchmark('ms2');
    const result = hunt(program, 'pso', { trials: 3, attempts: 5, runs: 10 });
    // Fresh memory is zero here, so the late store of line 3 changes nothing.
    expect(cyclesOf(result, confirmed)).toEqual(['2 5 10 14', '3 5 10 10']);
    expect(cyclesOf(result, harmful)).toEqual(['2 5 10 14']);
    expect(result.errors[0]!.error.message).toMatch(/^no serial execution of the operations has these results: /);
    expectNoFalseAlarm(program, result);
  });

  it('does not happen with a store-store fence before line 5', async () => {
    const result = hunt(await loadBenchmark('ms2', ['FENCED']), 'pso', { trials: 3, attempts: 5, runs: 10 });
    expect(cyclesOf(result, confirmed)).toEqual([]);
    expect(result.errors).toEqual([]);
  });
});

describe('Fig. 11 and 12, dekker', () => {
  const named = (cycles: readonly CycleResult[]): readonly string[] =>
    cycles.map((cycle) => figureLines(cycle, 'relaxer/dekker.c'));

  it('has the three harmful cycles under tso', async () => {
    const program = await loadBenchmark('dekker');
    const result = hunt(program, 'tso', { trials: 5, runs: 50 });
    expect(named(harmful(result))).toEqual(expect.arrayContaining(['1 2 11 12', '1 2 17 12', '7 2 11 12']));
    expect(result.errors.map(({ error }) => error.kind)).toContain('assertion');
    expectNoFalseAlarm(program, result);
  });

  it('has the benign one under tso, with all the fences that dekker needs, and it stays benign', async () => {
    const program = await loadBenchmark('dekker', ['FENCED', 'ROUNDS=2']);
    expect(check(program, 'tso', { strategy: 'optimal' }).verdict.kind).toBe('verified');
    const result = hunt(program, 'tso', { trials: 5, runs: 50 });
    expect(named(confirmed(result))).toContain('9 2 14 15');
    expect(harmful(result)).toEqual([]);
    expect(result.errors).toEqual([]);
    expectNoFalseAlarm(program, result);
  });
});

describe('Fig. 13', () => {
  const figure13 = () =>
    twoThreads(
      `volatile int x, y, scratch1, scratch2; int r1, r2;
pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
static void f1(void) { for (int i = 0; i < 100; i++) scratch1++; }
static void f2(void) { for (int i = 0; i < 100; i++) scratch2++; }`,
      'x = 1; r1 = y; pthread_mutex_lock(&L); pthread_mutex_unlock(&L); f2();',
      'f1(); pthread_mutex_lock(&L); pthread_mutex_unlock(&L); y = 1; r2 = x;',
      'assert(r1 || r2);',
    );

  it('is found under tso although thread 1 takes the lock first in almost every SC run', async () => {
    const program = await figure13();
    const result = hunt(program, 'tso', { runs: 5, trials: 10 });
    expect(harmful(result).map(lines)).toEqual(['x y y x']);
    expectNoFalseAlarm(program, result);
  });
});

/**
 * A hunt raises no false alarm: executions of confirmed cycles replay and SC does not allow them; in robust programs
 * nothing is confirmed, in 10,000 executions per model. And the same seed gives the same hunt.
 */
import { describe, expect, it } from 'vitest';
import { modelsWith, type RelaxedModel } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { check, compileC } from '../../support/c.ts';
import { confirmed, expectNoFalseAlarm, hunt, loadBenchmark } from '../../support/hunt.ts';

describe('confirmed cycles replay, and SC does not allow them', () => {
  it.each(modelsWith('hunt'))('under %s', async (model) => {
    let count = 0;
    for (const [name, defines] of [
      ['dekker', ['ROUNDS=2']],
      ['bakery', ['ROUNDS=2']],
      ['msn', ['SMALL']],
      ['snark', ['SMALL']],
    ] as const) {
      const program = await loadBenchmark(name, defines);
      const result = hunt(program, model, { runs: 20, trials: 1, attempts: 3 });
      expectNoFalseAlarm(program, result);
      count += confirmed(result).length;
    }
    expect(count).toBeGreaterThan(0);
  });
});

/** Potential cycles, all of which fences or atomics prevent. */
const ROBUST = `#include <pthread.h>
#include <stdatomic.h>
#define FULL() atomic_thread_fence(memory_order_seq_cst)
volatile int x, y, z;
static void *sb(void *unused) { y = 1; FULL(); z = x; return unused; }
static void *mp(void *unused) { x = 1; FULL(); y = 1; return unused; }
static void *both(void *unused) { x = 1; FULL(); x = 2; FULL(); y = 1; FULL(); z = 1; return unused; }
static void with(void *(*other)(void *), void *(*mine)(void *)) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  mine(0);
  pthread_join(thread, 0);
}
static void *look(void *unused) { int a = y; FULL(); return a + x ? unused : 0; }
static void *look_at_all(void *unused) { int a = z; FULL(); a += y; FULL(); return a + x ? unused : 0; }
static void *sb2(void *unused) { x = 1; FULL(); return y ? unused : 0; }
void sb_fenced(void) { with(sb, sb2); }
void mp_fenced(void) { with(mp, look); }
void mp3_fenced(void) { with(both, look_at_all); }
`;
const ENTRIES = ['sb_fenced', 'mp_fenced', 'mp3_fenced'];
const EXECUTIONS = 10_000;

/** By exploring all traces. */
function isRobust(program: Program, model: RelaxedModel): boolean {
  return check(program, model, { strategy: 'optimal', robust: true }).robust === true;
}

describe('robust programs', () => {
  it.each(modelsWith('hunt'))('have no confirmed cycle in 10,000 executions under %s', async (model) => {
    let executions = 0;
    for (const entry of ENTRIES) {
      const program = await compileC(ROBUST, { entry });
      expect(isRobust(program, model)).toBe(true);
      const { cycles } = hunt(program, model, { runs: 20, trials: 1, attempts: 1 });
      if (cycles.length === 0) continue;
      const attempts = Math.ceil(EXECUTIONS / ENTRIES.length / cycles.length);
      const result = hunt(program, model, { runs: 20, trials: 1, attempts: model === 'tso' ? EXECUTIONS : attempts });
      expect(confirmed(result)).toEqual([]);
      expect(result.errors).toEqual([]);
      executions += result.executions;
    }
    expect(executions).toBeGreaterThanOrEqual(EXECUTIONS);
  });
});

describe('the same seed', () => {
  it.each(modelsWith('hunt'))('gives the same hunt under %s, and another seed another hunt', async (model) => {
    const program = await loadBenchmark('dekker', ['ROUNDS=1']);
    const run = (seed: number, interpret = false) => {
      const {
        seconds: _,
        predictionSeconds: __,
        ...result
      } = hunt(program, model, { seed, interpret, runs: 20, trials: 2, attempts: 3 });
      return result;
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7, true)).toEqual(run(7));
    expect(run(8)).not.toEqual(run(7));
  });

  it('has known results, on any machine', async () => {
    const program = await loadBenchmark('dekker', ['ROUNDS=1']);
    const { predicted, cycles, executions } = hunt(program, 'tso', { runs: 20, trials: 2, attempts: 3 });
    expect({
      predicted,
      possible: cycles.length,
      executions,
      confirmed: cycles.filter((c) => c.confirmed > 0).length,
    }).toMatchInlineSnapshot(`
      {
        "confirmed": 1,
        "executions": 18,
        "possible": 3,
        "predicted": 37,
      }
    `);
  });
});

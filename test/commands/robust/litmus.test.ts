/**
 * `robust` decides litmus tests from SC executions; `litmus` explores TSO and PSO and looks for traces with a cycle.
 * Where both have an answer, the answers agree.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LitmusTest, parseLitmus } from '../../../src/frontend/litmus/litmus.ts';
import { LitmusRun } from '../../../src/pipelines/litmus.ts';
import { RobustRun } from '../../../src/pipelines/robust.ts';
import { fencepost } from '../../support/fencepost.ts';
import { DEEP } from '../../support/tier.ts';

const MODELS = ['tso', 'pso'] as const;
const own = new URL('../../../litmus/', import.meta.url);
/** Outside the repository: see `litmus-corpus.test.ts`. */
const corpus = new URL('../../../../shared/corpora/x86-dat3m/', import.meta.url);

/** The tests of a folder that have no filter: `litmus` counts only what the filter accepts. */
function read(folder: URL): readonly LitmusTest[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.litmus'));
  const tests = files.map((file) => parseLitmus(readFileSync(new URL(file, folder), 'utf8'), file));
  return tests.filter(({ filter }) => filter === undefined);
}

function robustBySc({ program }: LitmusTest, first = false): RobustRun {
  const run = new RobustRun(program, {
    models: MODELS,
    monitors: ['causal-tso', 'causal-pso'],
    strategy: 'optimal',
    preemptions: 0,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 0,
    keepGoing: false,
    first,
  });
  while (!run.advance(1_000_000));
  return run;
}

function robustByModel(test: LitmusTest, model: (typeof MODELS)[number]): boolean | null {
  const run = new LitmusRun(test, model);
  run.advance(Number.POSITIVE_INFINITY);
  return run.result.robust;
}

describe.each([
  ['our tests', read(own), 50],
  ['the x86 tests of Dartagnan', read(corpus).filter((_, i) => DEEP || i % 4 === 0), 100],
])('%s', (_, tests, floor) => {
  it.skipIf(tests.length === 0)('are robust according to monitors where no trace has a cycle', () => {
    let [answered, robust] = [0, 0];
    for (const test of tests) {
      const { results } = robustBySc(test);
      for (const result of results) {
        const explored = robustByModel(test, result.model);
        if (result.robust === null || explored === null) continue;
        expect([test.file, result.model, result.robust]).toEqual([test.file, result.model, explored]);
        answered++;
        if (explored) robust++;
      }
    }
    expect(answered).toBeGreaterThan(floor);
    expect(Math.min(robust, answered - robust)).toBeGreaterThan(10);
  });

  it.skipIf(tests.length === 0)('have the same verdict if the search stops at the first alarm', () => {
    let cut = 0;
    for (const test of tests) {
      const [all, few] = [robustBySc(test).results, robustBySc(test, true).results];
      expect(few.map(({ verdict, robust }) => [verdict.kind, robust])).toEqual(
        all.map(({ verdict, robust }) => [verdict.kind, robust]),
      );
      for (const [i, { executions, bounds, robust }] of few.entries()) {
        expect(executions).toBeLessThanOrEqual(all[i]!.executions);
        if (!bounds.includes('first alarm')) continue;
        cut++;
        expect(robust).toBe(false);
      }
    }
    expect(cut).toBeGreaterThan(10);
  });
});

it.each([
  ['--junk'],
  ['--no-uninitialised'],
  ['--entry', 'f'],
  ['-D', 'N=1'],
  ['-I', '.'],
  ['--optimise', '1'],
  ['--spurious'],
  ['--no-cache'],
])('no option of C programs is taken: %s', async (...option) => {
  const { exit, stdout, stderr } = await fencepost(['robust', 'litmus/SB/SB.litmus', ...option]);
  expect([exit, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^fencepost: --[a-z-]+ is for C programs, not for litmus tests\n$/),
  ]);
});

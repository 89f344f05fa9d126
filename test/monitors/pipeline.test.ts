/**
 * `check` with monitors, which explores only the models that are not robust, gives the same results as without them:
 * for every row of `programs/expected.tsv`, and for generated programs.
 */
import { describe, expect, it } from 'vitest';
import { modelsWith } from '../../src/models/index.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import type { ModelResult } from '../../src/pipelines/model-run.ts';
import type { Program } from '../../src/program/ir.ts';
import { MODELS } from '../support/c.ts';
import { everything, forAll, forAllSketches } from '../support/for-all.ts';
import { loadRow, ROWS } from '../support/programs.ts';
import { buildProgram } from '../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, racySyncSketches, syncSketches } from '../support/sync-sketch.ts';
import { DEEP } from '../support/tier.ts';

function run(program: Program, monitors: boolean, models: readonly ModelResult['model'][] = MODELS): ModelResult[] {
  const check = new CheckRun(program, {
    models,
    strategy: 'optimal',
    preemptions: 2,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 100_000,
    keepGoing: false,
    races: false,
    robust: !monitors,
    monitors,
    // Monitors are used only where every read is taken.
    countOrders: true,
  });
  while (!check.advance(Number.POSITIVE_INFINITY));
  return [...check.results];
}

/** Returns the number of models that were not explored. */
function compare(program: Program): number {
  const [watched, explored] = [run(program, true), run(program, false)];
  for (const [i, result] of explored.entries()) {
    const { model, verdict, errors, executions, blocked, robust } = result;
    const found = watched[i]!;
    expect(found.model).toBe(model);
    expect(found.verdict, model).toEqual(verdict);
    expect(found.errors[0]?.error.kind, model).toBe(errors[0]?.error.kind);
    if (found.how !== 'robust') continue;
    expect(robust, model).toBe(true);
    expect([found.executions, found.blocked], model).toEqual([executions, blocked]);
  }
  // SC is explored even if it is not requested.
  for (const model of modelsWith('monitors')) {
    const [alone] = run(program, true, [model]);
    const together = watched.find((r) => r.model === model)!;
    expect(alone!.verdict, model).toEqual(together.verdict);
    if (together.how === 'robust') expect(alone!.how, model).toBe('robust');
  }
  return watched.filter(({ how }) => how === 'robust').length;
}

describe('programs/ with monitors', () => {
  let proved = 0;
  // In the push tier one in three: `programs.test.ts` covers all without monitors.
  const rows = ROWS.filter((_, i) => DEEP || i % 3 === 0);
  it.each(rows)('have the verdicts of the table: $name', async (row) => {
    const results = run(await loadRow(row), true);
    for (const { model, verdict, how, errors } of results) {
      const expected = row.expected[model as 'sc'];
      expect(verdict.kind === 'verified', model).toBe(expected === 'correct');
      if (how !== 'robust') continue;
      expect(errors).toEqual([]);
      proved++;
    }
  });

  it('are mostly robust under some model, which need not be explored', () => {
    expect(proved).toBeGreaterThan(rows.length / 2);
  });
});

describe('generated programs have the same verdicts with and without monitors', () => {
  it('if they consist of stores, loads, atomic operations, fences and branches', () => {
    let proved = 0;
    const taken = forAllSketches({ ...everything, threads: 3, totalOps: 7 }, 120, (sketch) => {
      proved += compare(buildProgram(sketch));
    });
    expect(proved).toBeGreaterThan(taken / 10);
  });

  it.each([
    ['synchronisation of all kinds', syncSketches()],
    ['racy', racySyncSketches()],
    // These are explored.
    ['with atomic sections', racySyncSketches({ atomic: true })],
  ])('if they are of another kind: %s', (name, sketches) => {
    let proved = 0;
    const hasSections = name === 'with atomic sections';
    const taken = forAll({ from: sketches, count: hasSections ? 5 : 25, print: printSyncSketch }, (sketch) => {
      proved += compare(buildSyncProgram(sketch));
    });
    expect(proved).toBeGreaterThanOrEqual(hasSections ? 0 : taken / 16);
  });
});

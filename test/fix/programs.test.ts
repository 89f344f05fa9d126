/**
 * Every program of `programs/` that store buffers break is mended: a set of changes is found, the patch applies, the patched
 * source compiles and verifies from scratch, and every one of the changes is needed. FULL=1: all of them, for both goals.
 */
import { describe, expect, it } from 'vitest';
import type { RelaxedModel } from '../../src/fix/synthesis.ts';
import type { Goal } from '../../src/goals.ts';
import { applyDiff, fixFile, holds, loadPatched, withoutOne } from '../support/fix-c.ts';
import { ROWS } from '../support/programs.ts';

const FULL = process.env['FULL'] === '1';

/** A failed assertion, a memory error, a deadlock and an endless wait. */
const REPRESENTATIVE = [
  'locks/test-and-set.c',
  'structures/hazard-pointers.c',
  'patterns/parker.c',
  'patterns/wait-queue.c',
];

const unfenced = ROWS.filter(
  ({ file, defines, expected }) =>
    !defines.some((define) => define.startsWith('FENCE')) &&
    expected.sc === 'correct' &&
    (FULL || (REPRESENTATIVE.includes(file) && expected.pso !== 'correct')),
);

const GOALS: readonly Goal[] = FULL ? ['safe', 'robust'] : ['safe'];
const CASES = unfenced.flatMap((row) => GOALS.map((goal) => ({ ...row, goal, title: `${row.name} ${goal}` })));
const models: readonly RelaxedModel[] = ['tso', 'pso'];

describe('programs without fences', () => {
  it.each(CASES)('$title', async ({ file, defines, goal, expected }) => {
    const path = `programs/${file}`;
    const result = await fixFile(path, { goal, models, defines });
    const isWrong = expected.pso !== 'correct';
    if (result.kind === 'unneeded') {
      expect(isWrong).toBe(false);
      expect(holds(await loadPatched(path, [], { defines }), goal, models)).toBe(true);
      return;
    }
    if (result.kind !== 'fixed') throw new Error(`${result.kind}: ${JSON.stringify(result.bounds)}`);
    expect(result.bounds).toEqual([]);
    if (FULL) for (const patch of result.patches) expect(applyDiff(patch)).toBe(patch.after);
    expect(holds(await loadPatched(path, result.patches, { defines }), goal, models)).toBe(true);
    const without = withoutOne(result.patches);
    expect(without).toHaveLength(result.changes.length);
    for (const patches of without) {
      expect(holds(await loadPatched(path, patches, { defines }), goal, models)).toBe(false);
    }
  });
});

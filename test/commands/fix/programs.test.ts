/**
 * Every program of `programs/` that store buffers break can be fixed: a set of changes is found, the patch applies, the
 * patched source compiles and verifies from scratch, and every change is needed. The push tier takes four programs,
 * with both goals for the first two; the deep tier takes all, with both goals.
 */

import { describe, expect, it } from 'vitest';
import { ROWS as NIDHUGG } from '../../../bench/nidhugg-table.ts';
import { modelsWith, type StoreBufferModel } from '../../../src/models/index.ts';
import { GOALS } from '../../../src/options/fix.ts';
import { applyDiff, fixFiles, holds, loadPatched, withoutOne } from '../../support/fix-c.ts';
import { ROWS } from '../../support/programs.ts';
import { DEEP } from '../../support/tier.ts';

/** A failed assertion, a memory error, a deadlock and an endless wait. */
const REPRESENTATIVE = [
  'locks/test-and-set.c',
  'structures/hazard-pointers.c',
  'patterns/parker.c',
  'patterns/wait-queue.c',
];

interface Row {
  readonly name: string;
  readonly files: readonly string[];
  readonly defines: readonly string[];
  /** Whether it is wrong under PSO, which allows all executions of TSO. */
  readonly isWrong: boolean;
}

const own: readonly Row[] = ROWS.filter(({ expected }) => expected.sc === 'correct').map(
  ({ name, file, defines, expected }) => ({ name, files: [file], defines, isWrong: expected.pso !== 'correct' }),
);
const fromPaper: readonly Row[] = NIDHUGG.filter(({ verdicts }) => verdicts.join() !== 'correct,correct,correct')
  .filter(({ verdicts }) => verdicts[0] === 'correct')
  .map(({ name, files, defines }) => ({ name: `nidhugg/${name}`, files, defines, isWrong: true }));
const scalable: readonly Row[] = ['sb-ring', 'mp-ring'].map((name) => ({
  name: `scale/${name}.c`,
  files: [`scale/${name}.c`],
  defines: [],
  isWrong: false,
}));

const unfenced = [...own, ...(DEEP ? [...fromPaper, ...scalable] : [])].filter(
  ({ files, defines, isWrong }) =>
    !defines.some((define) => define.startsWith('FENCE')) && (DEEP || (REPRESENTATIVE.includes(files[0]!) && isWrong)),
);

const CASES = unfenced.flatMap((row) =>
  GOALS.filter((goal) => DEEP || goal === 'safe' || REPRESENTATIVE.indexOf(row.files[0]!) < 2).map((goal) => ({
    ...row,
    goal,
    title: `${row.name} ${goal}`,
  })),
);
const models: readonly StoreBufferModel[] = modelsWith('monitors');

describe('programs without fences', () => {
  it.each(CASES)('are fixed, or need nothing: $title', async ({ files, defines, goal, isWrong }) => {
    const paths = files.map((file) => `programs/${file}`);
    const result = await fixFiles(paths, { goal, models, defines });
    if (result.kind === 'unneeded') {
      expect(isWrong).toBe(false);
      expect(holds(await loadPatched(paths, [], { defines }), goal, models)).toBe(true);
      return;
    }
    if (result.kind !== 'fixed') throw new Error(`${result.kind}: ${JSON.stringify(result.boundedBy)}`);
    expect(result.boundedBy).toEqual([]);
    if (DEEP) for (const patch of result.patches) expect(applyDiff(patch)).toBe(patch.after);
    expect(holds(await loadPatched(paths, result.patches, { defines }), goal, models)).toBe(true);
    const without = withoutOne(result.patches);
    expect(without).toHaveLength(result.changes.length);
    for (const patches of without) {
      expect(holds(await loadPatched(paths, patches, { defines }), goal, models)).toBe(false);
    }
  });
});

/** Algorithms whose required fences are known from the literature. */
import { describe, expect, it } from 'vitest';
import type { StoreBufferModel } from '../../../src/models/index.ts';
import type { FixResult } from '../../../src/pipelines/fix/fix.ts';
import { fixFile } from '../../support/fix-c.ts';

/** `kind:line` of every change, in order. */
function changesOf(result: FixResult): readonly string[] {
  if (result.kind === 'unneeded') return [];
  if (result.kind !== 'fixed') throw new Error(result.kind);
  expect(result.boundedBy).toEqual([]);
  return result.changes.map(({ kind, place }) => `${kind}:${place.location!.line}`);
}

const TSO: readonly StoreBufferModel[] = ['tso'];
const PSO: readonly StoreBufferModel[] = ['pso'];

describe('known answers', () => {
  it.each([
    // One store-load fence per thread: both run the function.
    ['programs/mutual-exclusion/dekker.c', TSO, ['full-fence:23']],
    ['examples/message-passing.c', TSO, []],
    ['examples/message-passing.c', PSO, ['store-fence:26']],
    ['programs/mutual-exclusion/peterson.c', TSO, ['full-fence:22']],
    // Between `wants` and `turn`, and between the writes inside and the store that releases.
    ['programs/mutual-exclusion/peterson.c', PSO, ['store-fence:20', 'full-fence:22', 'store-fence:26']],
    // In take; in push. On ARM, Le and others (PPoPP 2013) need more, since loads are reordered there as well.
    ['programs/structures/chase-lev-deque.c', TSO, ['full-fence:26']],
    ['programs/structures/chase-lev-deque.c', PSO, ['store-fence:19', 'full-fence:26']],
    ['programs/patterns/double-checked-locking.c', TSO, []],
    ['programs/patterns/double-checked-locking.c', PSO, ['store-fence:31']],
  ] as const)('are found for %s under %s', async (file, models, expected) => {
    expect(changesOf(await fixFile(file, { models }))).toEqual(expected);
  });

  it('nothing is needed if all fences are present', async () => {
    const result = await fixFile('programs/mutual-exclusion/peterson.c', { defines: ['FENCE_PSO'] });
    expect(result).toMatchObject({ kind: 'unneeded', boundedBy: [] });
  });

  it('fences cannot fix what fails under SC', async () => {
    const result = await fixFile('programs/mutual-exclusion/hyman.c');
    expect(result.kind).toBe('sc');
    expect(result.sc.errors[0]?.error.kind).toBe('assertion');
  });

  it('store buffering needs a full fence per thread; each with the accesses it orders, and the cycle', async () => {
    const result = await fixFile('examples/store-buffering.c', { models: TSO });
    expect(changesOf(result)).toEqual(['full-fence:28', 'full-fence:36']);
    if (result.kind !== 'fixed') throw new Error(result.kind);
    for (const { why } of result.changes) {
      expect(why?.late.kind).toBe('store');
      expect(why?.early.kind).toBe('load');
      expect(why?.cycle.map(({ relation }) => relation)).toEqual([
        'program order',
        'conflict',
        'program order',
        'conflict',
      ]);
      expect(why?.error?.kind).toBe('assertion');
    }
  });

  it('a fix that was searched for up to a bound names it', async () => {
    const result = await fixFile('examples/store-buffering.c', { goal: 'robust', check: { maxExecutions: 1 } });
    expect(result).toMatchObject({ kind: 'fixed', boundedBy: [{ kind: 'executions', limit: 1 }] });
  });
});

describe('fences that are not needed', () => {
  it('are removed if the model does not need them', async () => {
    const result = await fixFile('programs/mutual-exclusion/peterson.c', {
      defines: ['FENCE_PSO'],
      models: TSO,
      minimise: true,
    });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.removed.map(({ before, after, place }) => [before, after, place.location?.line])).toEqual([
      ['store-fence', undefined, 19],
      ['store-fence', undefined, 25],
    ]);
    expect(result.patches[0]!.diff).toMatch(/^-\s+STORE_STORE\(\);$/m);
  });

  it('are not looked for in a program that lacks some', async () => {
    expect((await fixFile('examples/store-buffering.c', { minimise: true })).kind).toBe('impossible');
  });

  it('are not found where each is needed', async () => {
    const result = await fixFile('programs/mutual-exclusion/peterson.c', { defines: ['FENCE_PSO'], minimise: true });
    expect(result.kind).toBe('unneeded');
  });
});

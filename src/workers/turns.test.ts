import { describe, expect, it } from 'vitest';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import { Keeper } from '../explore/frontier/keeper.ts';
import type { SharedWork } from '../pipelines/together.ts';
import { Collected } from './collected.ts';
import { Turns } from './turns.ts';

const NOW = { seconds: 0, cpu: 0, executions: 0 };
const pace = { isSlow: () => true, hasPaid: () => false, isRested: () => true, goOn: () => {} };
const work = { model: 'tso', options: { strategy: 'optimal' } } as unknown as SharedWork;

/** What is left of an execution with this many levels, one branch at each, in two jobs. */
function divided(levels: number): Keeper {
  const own: SearchLevel[] = Array.from({ length: levels }, (_, i) => ({
    finished: [],
    step: `s${i}`,
    isFree: true,
    branches: [{ action: `b${i}`, children: [] }],
  }));
  const keeper = Keeper.of(own);
  keeper.handOver(keeper.take(keeper.largest!).id, own, true);
  return keeper;
}

const turnsOf = (keeper: Keeper, isAnew = false): Turns =>
  new Turns(work, isAnew, keeper, new Collected<number>(), pace);

describe('what is left of many parts', () => {
  it('becomes one job that can be copied and printed', () => {
    const keeper = divided(399);
    expect(keeper.size).toBe(2);
    const turns = turnsOf(keeper);
    expect(turns.merge(NOW, true)).toBe(true);
    expect([keeper.size, turns.mode]).toEqual([1, 'alone']);
    expect(structuredClone(keeper.save())).toEqual(JSON.parse(JSON.stringify(keeper.save())));
  });

  it('stays as it is if it is nested too deeply, or shares nothing', () => {
    for (const [keeper, isAnew] of [
      [divided(400), false],
      [divided(20_000), false],
      [divided(10), true],
    ] as const) {
      const before = keeper.save();
      const turns = turnsOf(keeper, isAnew);
      expect(turns.canMerge).toBe(false);
      expect(turns.merge(NOW, true)).toBe(false);
      expect([keeper.save(), turns.mode]).toEqual([before, 'together']);
    }
  });
});

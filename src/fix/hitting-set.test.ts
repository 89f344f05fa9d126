import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimumHittingSets } from './hitting-set.ts';

describe('minimum-cost hitting sets', () => {
  it('of nothing is empty', () => expect(minimumHittingSets([], [], 5)).toEqual({ cost: 0, sets: [[]] }));

  it('does not exist for an empty constraint', () => expect(minimumHittingSets([[0], []], [1], 5)).toBeUndefined());

  it('takes one element for two constraints if that is cheaper', () => {
    const constraints = [
      [0, 1],
      [1, 2],
    ];
    expect(minimumHittingSets(constraints, [1, 3, 1], 5)).toEqual({ cost: 2, sets: [[0, 2]] });
    expect(minimumHittingSets(constraints, [1, 1, 1], 5)).toEqual({ cost: 1, sets: [[1]] });
  });

  it('leaves out what is known', () => {
    const isKnown = (set: readonly number[]): boolean => set.join() === '0';
    expect(minimumHittingSets([[0, 1]], [1, 1], 5, isKnown)).toEqual({ cost: 1, sets: [[1]] });
  });

  it('are those that brute force finds', () => {
    const constraint = fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 4 });
    const costs = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(constraint, { maxLength: 6 }), costs, (constraints, cost) => {
        let least = Number.POSITIVE_INFINITY;
        let sets: string[] = [];
        for (let bits = 0; bits < 128; bits++) {
          const set = [0, 1, 2, 3, 4, 5, 6].filter((i) => (bits >> i) & 1);
          if (!constraints.every((c) => c.some((element) => set.includes(element)))) continue;
          const sum = set.reduce((total, i) => total + cost[i]!, 0);
          if (sum < least) sets = [];
          if (sum <= least) sets.push(set.join());
          least = Math.min(least, sum);
        }
        const found = minimumHittingSets(constraints, cost, 1000)!;
        expect(found.cost).toBe(least);
        expect(found.sets.map((set) => set.join()).sort()).toEqual(sets.sort());
      }),
      { numRuns: 500 },
    );
  });
});

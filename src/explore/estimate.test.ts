/** Estimates of the number of executions: exact on even trees, none while they vary. */
import { describe, expect, it } from 'vitest';
import { Explored } from './dpor/explored.ts';
import { Estimator } from './estimate.ts';

/** Walks a tree whose nodes at depth d have `branches[d]` children, depth first; the estimate after each leaf. */
function walk(branches: readonly number[]): readonly number[] {
  const explored = new Explored();
  const taken = branches.map(() => 0);
  const estimates: number[] = [];
  for (let leaves = 1; ; leaves++) {
    estimates.push(explored.estimate(leaves, branches.length, (depth) => branches[depth]! - taken[depth]!));
    let depth = branches.length - 1;
    while (depth >= 0 && taken[depth] === branches[depth]! - 1) taken[depth--] = 0;
    if (depth < 0) return estimates;
    taken[depth]!++;
    explored.finishBranch(depth, leaves);
  }
}

describe('the size of a tree', () => {
  it.each([[[2, 2, 2]], [[3, 1, 4]], [[5]], [[1, 1]], [[2, 3, 2, 3]]])(
    '%j is known from the first leaf on',
    (branches) => {
      const total = branches.reduce((product, b) => product * b, 1);
      const estimates = walk(branches);
      expect(estimates).toHaveLength(total);
      for (const estimate of estimates) expect(estimate).toBeCloseTo(total);
    },
  );
});

describe('an estimator', () => {
  it('says nothing of few executions', () => {
    const estimator = new Estimator();
    for (let n = 1; n < 200; n++) estimator.note(n, () => 1000);
    expect(estimator.estimate).toBeUndefined();
  });

  it('says nothing of less than one execution', () => {
    const estimateOf = (total: number) => {
      const estimator = new Estimator();
      for (let n = 1; n < 400; n++) estimator.note(n, () => total);
      return estimator.estimate?.executions;
    };
    expect([7e-35, 400].map(estimateOf)).toEqual([undefined, 400]);
  });

  it('says nothing while its estimates wander, and then gives their spread', () => {
    const estimator = new Estimator();
    for (let n = 1; n < 1000; n++) estimator.note(n, () => n * n);
    expect(estimator.estimate).toBeUndefined();
    for (let n = 1000; n < 5000; n++) estimator.note(n, () => 8000 + (n % 2) * 1000);
    const { executions, low, high } = estimator.estimate!;
    expect([8000, 9000]).toContain(executions);
    expect([low, high]).toEqual([8000, 9000]);
  });
});

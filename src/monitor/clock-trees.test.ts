import { describe, expect, it } from 'vitest';
import { Prng } from '../util/prng.ts';
import { ClockTrees, MAX_TREE_THREADS } from './clock-trees.ts';

const THREADS = [0, 1, 15, 16, 17, 255, 256, 300, 4095, 4096, MAX_TREE_THREADS - 1];

type Vector = Map<number, number>;

function entryOf(vector: Vector, thread: number): number {
  return vector.get(thread) ?? 0;
}

describe('clock trees', () => {
  it.each([1, 2, 3])('are vectors (seed %d)', (seed) => {
    const prng = new Prng(seed);
    const trees = new ClockTrees();
    const vectors: Vector[] = [new Map()];
    let roots = Int32Array.of(0);
    const check = (): void => {
      for (const [i, vector] of vectors.entries()) {
        expect(THREADS.map((t) => trees.get(roots[i]!, t))).toEqual(THREADS.map((t) => entryOf(vector, t)));
        const entries = new Map<number, number>();
        trees.some(roots[i]!, (thread, value) => entries.set(thread, value).size < 0);
        expect(entries).toEqual(new Map([...vector].filter(([, value]) => value !== 0).sort((a, b) => a[0] - b[0])));
      }
    };
    for (let n = 0; n < 150; n++) {
      const [a, b] = [prng.below(vectors.length), prng.below(vectors.length)];
      const vector = new Map(vectors[a]);
      let root: number;
      if (prng.below(2) === 0) {
        root = trees.join(roots[a]!, roots[b]!);
        for (const [thread, value] of vectors[b]!) vector.set(thread, Math.max(entryOf(vector, thread), value));
      } else {
        const [thread, value] = [THREADS[prng.below(THREADS.length)]!, prng.below(50)];
        root = trees.set(roots[a]!, thread, value, trees.end);
        vector.set(thread, value);
      }
      roots = Int32Array.of(...roots, root);
      vectors.push(vector);
      if (n % 50 !== 49) continue;
      check();
      const limits = new Int32Array(5000).fill(1000);
      trees.lower(limits, [...roots.subarray(5)], 1);
      for (const thread of THREADS.filter((t) => t < 5000)) {
        expect(limits[thread]).toBe(Math.min(...vectors.slice(5).map((v) => entryOf(v, thread))) - 1);
      }
      const before = trees.end;
      roots = roots.slice(0, 20);
      vectors.length = 20;
      trees.keep(roots, roots.length);
      expect(trees.end).toBeLessThanOrEqual(before);
      check();
    }
  });

  it('change only what is their own', () => {
    const trees = new ClockTrees();
    const first = trees.set(0, 7, 1, 1);
    const second = trees.set(first, 7, 2, trees.end);
    expect([trees.get(first, 7), trees.get(second, 7)]).toEqual([1, 2]);
    expect(trees.set(second, 300, 5, second)).toBe(second);
    expect(trees.get(first, 300)).toBe(0);
  });

  it('take what both have from the second, so that it is shared', () => {
    const trees = new ClockTrees();
    const [a, b] = [trees.set(0, 7, 1, 1), trees.set(0, 7, 1, 1 << 30)];
    expect(a).not.toBe(b);
    expect(trees.join(a, b)).toBe(b);
  });
});

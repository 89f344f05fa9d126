/**
 * What the counts of [SOBER] Fig. 4(a) for dekker and bakery depend on: whether waiting threads yield to a fair
 * scheduler (`fair.ts`) or sleep until another thread writes, and how the algorithms are written.
 */
import { type Counting, countInterleavings } from './interleavings.ts';
import type { Suite } from './suite.ts';

const COMMON = ['START', 'EMPTY'];

export interface Written {
  readonly file: string;
  readonly defines: readonly string[];
  readonly waiting: Counting;
  readonly bounds: readonly number[];
}

/** Those that have the paper's numbers come first. */
export const DEKKERS: readonly Written[] = [
  written('dekker', ['BACK'], 'fair', [1, 2, 3, 4, 5]),
  written('dekker', [], 'fair', [1, 2, 3, 4]),
  written('dekker', [], 'asleep', [1, 2, 3, 4, 5]),
];
export const BAKERIES: readonly Written[] = [
  written('bakery', ['EACH', 'AGAIN'], 'fair', [0, 1, 2, 3]),
  written('bakery', ['EACH'], 'fair', [0, 1, 2]),
  written('bakery', [], 'fair', [0, 1, 2]),
  written('bakery', ['EACH', 'AGAIN'], 'asleep', [0, 1, 2, 3]),
  written('bakery', [], 'asleep', [0, 1, 2, 3]),
];

function written(name: string, defines: readonly string[], waiting: Counting, bounds: readonly number[]): Written {
  return { file: `sober/${name}.c`, defines, waiting, bounds };
}

export function fairnessCase({ file, defines, waiting }: Written, preemptions: number): string {
  return [file, ...defines, waiting, preemptions].join(' ');
}

const CASES = new Map(
  [...DEKKERS, ...BAKERIES].flatMap((one) => one.bounds.map((k) => [fairnessCase(one, k), { one, k }] as const)),
);

export const fairness: Suite = {
  name: 'fairness',
  about: 'interleavings of dekker and bakery up to a number of preemptions, with and without a fair scheduler',
  alone: 'it counts interleavings as a paper does',
  cases: [...CASES.keys()],
  measure: (name) => {
    const { one, k } = CASES.get(name)!;
    return countInterleavings(one.file, [...COMMON, ...one.defines], k, one.waiting);
  },
};

/** What leaving out idle iterations does to the counts of [SOBER] Fig. 4. */
import { countInterleavings } from './interleavings.ts';
import type { Suite } from './suite.ts';

export const IDLE: readonly {
  readonly file: string;
  readonly defines: readonly string[];
  readonly preemptions: readonly number[];
}[] = [
  { file: 'sober/dekker.c', defines: ['START', 'EMPTY'], preemptions: [1, 2, 3, 4] },
  { file: 'sober/bakery.c', defines: ['START', 'EMPTY'], preemptions: [0, 1, 2] },
];
export const ITERATIONS: readonly number[] = [1, 2, 3, 4, 5];

export function idleCase(file: string, preemptions: number, iterations: number): string {
  return `${file} ${preemptions} idle ${iterations}`;
}

const CASES = new Map(
  IDLE.flatMap(({ file, defines, preemptions }) =>
    preemptions.flatMap((most) =>
      ITERATIONS.map((n) => [idleCase(file, most, n), { file, defines, most, iterations: n }] as const),
    ),
  ),
);

export const idle: Suite = {
  name: 'idle',
  about: 'interleavings of SOBER if threads that wait run a number of iterations instead of sleeping',
  cases: [...CASES.keys()],
  measure: (name) => {
    const { file, defines, most, iterations } = CASES.get(name)!;
    return countInterleavings(file, defines, most, iterations);
  },
};

/**
 * What leaving out idle iterations does to the counts of [SOBER] Fig. 4. Here a thread that waits in a loop runs up to a
 * number of iterations, as it does in the paper's tool, instead of sleeping until somebody writes. An interleaving that ends because a loop has used them up counts too.
 */
import { Bounded } from '../src/explore/bounded.ts';
import { explore } from '../src/explore/explore.ts';
import { Waker } from '../src/explore/wake.ts';
import { Machine } from '../src/machine/machine.ts';
import { Borderline } from './monitored.ts';
import { loadProgram } from './search.ts';
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
  measure: async (name) => {
    const { file, defines, most, iterations } = CASES.get(name)!;
    const machine = new Machine(await loadProgram([file], defines), 'sc', {}, { spin: false, unroll: iterations });
    const borderline = new Borderline(machine, ['sober']);
    let interleavings = 0;
    explore(machine, new Bounded(most), {
      followers: [new Waker(machine), borderline],
      onExecution: () => {
        interleavings++;
        borderline.conclude();
      },
    });
    return { counts: { interleavings, borderline: borderline.executions[0]! }, rates: {} };
  },
};

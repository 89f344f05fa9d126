/** Counts of [SOBER] Fig. 4(a) for a program: interleavings up to a number of preemptions, and borderline ones. */
import { Bounded } from '../src/explore/bounded.ts';
import { explore } from '../src/explore/explore.ts';
import { Waker } from '../src/explore/wake.ts';
import { Machine } from '../src/machine/machine.ts';
import { Borderline } from './monitored.ts';
import { loadProgram } from './search.ts';
import type { Measurement } from './suite.ts';

/**
 * With `iterations`, a thread that waits in a loop runs up to so many, instead of sleeping until somebody writes; an interleaving
 * that ends because a loop has used them up counts too.
 */
export async function countInterleavings(
  file: string,
  defines: readonly string[],
  preemptions: number,
  iterations?: number,
): Promise<Measurement> {
  const waiting = iterations === undefined ? { spin: true } : { spin: false, unroll: iterations };
  const machine = new Machine(await loadProgram([file], defines), 'sc', {}, waiting);
  const borderline = new Borderline(machine, ['sober']);
  let interleavings = 0;
  const { errors } = explore(machine, new Bounded(preemptions), {
    followers: [new Waker(machine), borderline],
    onExecution: () => {
      interleavings++;
      borderline.conclude();
    },
  });
  if (errors.length > 0) throw new Error(`wrong under SC already: ${errors[0]!.error.message}`);
  return { counts: { interleavings, borderline: borderline.executions[0]! }, rates: {} };
}

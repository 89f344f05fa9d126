/** Counts of [SOBER] Fig. 4(a) for a program: interleavings up to a number of preemptions, and borderline ones. */
import { Bounded } from '../src/explore/bounded.ts';
import { explore } from '../src/explore/explore.ts';
import { Waker } from '../src/explore/wake.ts';
import { Machine } from '../src/machine/machine.ts';
import type { MonitorName } from '../src/monitor/monitors.ts';
import { Fair } from './fair.ts';
import { Borderline } from './monitored.ts';
import { loadProgram } from './search.ts';
import type { Measurement } from './suite.ts';

/** What a thread that waits in a loop does: it sleeps until another thread writes, or it yields to a fair scheduler. */
export type Counting = 'asleep' | 'fair';

export async function countInterleavings(
  file: string,
  defines: readonly string[],
  preemptions: number,
  waiting: Counting = 'asleep',
  monitors: readonly MonitorName[] = ['sober'],
): Promise<Measurement> {
  const isFair = waiting === 'fair';
  const program = await loadProgram([file], isFair ? [...defines, 'YIELD'] : defines);
  const machine = new Machine(program, 'sc', {}, { spin: !isFair });
  const borderline = new Borderline(machine, monitors);
  let interleavings = 0;
  const { errors } = explore(machine, isFair ? new Fair(preemptions, machine) : new Bounded(preemptions), {
    followers: isFair ? [borderline] : [new Waker(machine), borderline],
    onExecution: () => {
      interleavings++;
      borderline.conclude();
    },
  });
  if (errors.length > 0) throw new Error(`wrong under SC already: ${errors[0]!.error.message}`);
  // The first monitor's count gets the paper's name.
  const perMonitor = borderline.executions.map((n, i) => [i === 0 ? 'borderline' : monitors[i]!, n] as const);
  return { counts: { interleavings, ...Object.fromEntries(perMonitor) }, rates: {} };
}

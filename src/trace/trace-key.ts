/** The canonical key of an execution's trace: equal strings, equal traces. */
import type { Machine } from '../machine/machine.ts';
import { IntVector } from '../util/int-vector.ts';
import { ShashaSnirTrace } from './shasha-snir.ts';

export function traceKey(machine: Machine): string {
  const out = new IntVector();
  new ShashaSnirTrace(machine.events, machine.processes).encode(out);
  return out.toKey();
}

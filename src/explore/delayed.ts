/**
 * All schedules with at most K delays ([DELAY]). A deterministic scheduler lets a process run while it can, then the
 * next one in turn; a delay skips the process whose turn it is, and skipping several costs one delay each. The number
 * of schedules does not depend on the number of processes, only on their steps, so this reaches further than bounding
 * preemptions. For every model: store buffers are processes too, and come after all threads in turn.
 */
import type { IntVector } from '../util/int-vector.ts';
import { Iterative } from './iterative.ts';
import { processOf } from './runnable.ts';

export class Delayed extends Iterative {
  readonly name = 'delays';
  readonly kind = 'delays';

  protected price(previous: number, steps: IntVector, costs: IntVector): void {
    const first = whoseTurn(previous, steps);
    for (let i = 0; i < steps.length; i++) costs.push(distance(first, processOf(steps.get(i)), steps));
  }
}

/** The process that ran last, if it can continue; otherwise the one with the next higher number, or else the lowest. */
function whoseTurn(previous: number, steps: IntVector): number {
  let [next, lowest] = [-1, -1];
  for (let i = 0; i < steps.length; i++) {
    const process = processOf(steps.get(i));
    if (process >= previous && (next < 0 || process < next)) next = process;
    if (lowest < 0 || process < lowest) lowest = process;
  }
  return next >= 0 ? next : lowest;
}

/** How many enabled processes come before `process` when turns start at `first`. */
function distance(first: number, process: number, steps: IntVector): number {
  let count = 0;
  for (let i = 0; i < steps.length; i++) {
    const other = processOf(steps.get(i));
    // The choices of one process are adjacent.
    if (i > 0 && other === processOf(steps.get(i - 1))) continue;
    const isBetween = process >= first ? other >= first && other < process : other >= first || other < process;
    if (isBetween) count++;
  }
  return count;
}

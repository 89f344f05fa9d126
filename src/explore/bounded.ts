/**
 * All schedules with at most K preemptions ([CHESS], iterative context bounding). A preemption is a switch away from a
 * thread that is still enabled; switching when a thread has ended or must wait is free. Only for SC, where the only
 * processes are threads.
 */
import type { IntVector } from '../util/int-vector.ts';
import { Iterative } from './iterative.ts';
import { processOf } from './runnable.ts';

export class Bounded extends Iterative {
  readonly name = 'bounded';
  readonly kind = 'preemptions';

  protected price(previous: number, steps: IntVector, costs: IntVector): void {
    let canGoOn = false;
    for (let i = 0; i < steps.length; i++) canGoOn ||= processOf(steps.get(i)) === previous;
    for (let i = 0; i < steps.length; i++) costs.push(canGoOn && processOf(steps.get(i)) !== previous ? 1 : 0);
  }
}

/** One execution that follows a list of steps; a step that is not enabled when its turn comes is skipped. */
import type { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import type { Step } from './runnable.ts';
import type { Schedule } from './schedule.ts';
import { ABANDON, type Strategy } from './strategy.ts';

export class Follow implements Strategy {
  readonly name = 'follow';
  readonly incomplete: Bound = { kind: 'one schedule' };
  readonly followsList = true;
  private readonly wanted: Schedule;
  private readonly keep: number;
  private position: number;
  private started = false;

  /** `keep`: the machine's current execution already consists of this many steps of the list. */
  constructor(wanted: Schedule, keep: number) {
    this.wanted = wanted;
    this.keep = keep;
    this.position = keep;
  }

  beginExecution(): number {
    if (this.started) return -1;
    this.started = true;
    return this.keep;
  }

  pick(steps: IntVector): Step | typeof ABANDON {
    while (this.position < this.wanted.length) {
      const step = this.wanted[this.position++]!;
      for (let i = 0; i < steps.length; i++) if (steps.get(i) === step) return step;
    }
    return ABANDON;
  }

  observe(): void {}
  endExecution(): void {}
}

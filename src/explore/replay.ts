/** Replays an execution; every step of the schedule must be enabled when its turn comes. */
import type { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import type { Step } from './runnable.ts';
import { ABANDON, type Strategy } from './strategy.ts';

export class Replay implements Strategy {
  readonly name = 'replay';
  readonly incomplete: Bound = { kind: 'one schedule' };
  readonly followsList = true;
  private readonly schedule: readonly Step[];
  private position = 0;
  private started = false;
  /** How many steps of the schedule have been taken; all of them if the schedule belongs to this program and model. */
  get taken(): number {
    return this.position;
  }

  private readonly goesOn: boolean;

  /** `goesOn`: after the schedule, take the first enabled step until there is none. */
  constructor(schedule: readonly Step[], goesOn = false) {
    this.schedule = schedule;
    this.goesOn = goesOn;
  }

  get length(): number {
    return this.schedule.length;
  }

  beginExecution(): number {
    if (this.started) return -1;
    this.started = true;
    return 0;
  }

  pick(steps: IntVector): Step | typeof ABANDON {
    const wanted = this.schedule[this.position];
    if (wanted === undefined) return this.goesOn ? steps.get(0) : ABANDON;
    for (let i = 0; i < steps.length; i++) {
      if (steps.get(i) !== wanted) continue;
      this.position++;
      return wanted;
    }
    return ABANDON;
  }

  observe(): void {}
  endExecution(): void {}
}

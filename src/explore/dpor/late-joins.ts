/**
 * Joins, once nothing else is left to do (Lemma 6 of [decision 16](../../../docs/decisions/0016-dependence.md)): the
 * joining thread continues from join to join, and no other thread is examined, since a join changes nothing for the
 * others.
 */
import { processOf, type Step } from '../runnable.ts';
import { ABANDON, NO_STEP } from '../strategy.ts';
import type { NextSteps } from './next-steps.ts';

/** All threads must be examined. */
export const LOOK_AT_ALL = -3;

const NOBODY = -1;

export class LateJoins {
  private readonly steps: NextSteps;
  /** The thread that took the last step, if it was such a join. */
  private thread = NOBODY;
  /** The answer once that thread has ended, if no other thread has a join left. */
  private otherwise: typeof ABANDON | typeof NO_STEP | typeof LOOK_AT_ALL = LOOK_AT_ALL;

  constructor(steps: NextSteps) {
    this.steps = steps;
  }

  /** The last step was a join of this kind. */
  get areRunning(): boolean {
    return this.thread !== NOBODY;
  }

  /** The first join, or -1 if there is none; `step` is the alternative to it, if any. */
  begin(step: Step | typeof ABANDON | typeof NO_STEP): Step | -1 {
    const { steps } = this;
    const join = steps.invisible(true);
    if (join < 0) return -1;
    this.thread = processOf(join);
    const isOnly = steps.invisibleCount === 1;
    this.otherwise = isOnly && (step === ABANDON || step === NO_STEP) ? step : LOOK_AT_ALL;
    return join;
  }

  /** The next join; if there is none, the alternative. */
  next(): Step | typeof ABANDON | typeof NO_STEP | typeof LOOK_AT_ALL {
    const { steps, thread } = this;
    const join = steps.join(thread);
    if (join >= 0) return join;
    this.thread = NOBODY;
    return steps.hasEnded(thread) ? this.otherwise : LOOK_AT_ALL;
  }

  /** The system has been rolled back. */
  forget(): void {
    this.thread = NOBODY;
  }
}

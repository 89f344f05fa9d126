/**
 * Joins, once nothing else is left to do (Lemma 6 of [decision 16](../../../docs/decisions/0016-dependence.md)): the joining thread
 * continues from join to join, and no other thread is examined, since a join changes nothing for it.
 */
import { processOf, type Step } from '../runnable.ts';
import { ABANDON, NO_STEP } from '../strategy.ts';
import type { NextSteps } from './next-steps.ts';

/** All threads must be examined. */
export const LOOK_AT_ALL = -3;

const NOBODY = -1;

export class LateJoins {
  private readonly steps: NextSteps;
  /** The thread that took the last step, if that was such a join. */
  private thread = NOBODY;
  /** The answer if that thread has ended then, as no other can join. */
  private otherwise: typeof ABANDON | typeof NO_STEP | typeof LOOK_AT_ALL = LOOK_AT_ALL;

  constructor(steps: NextSteps) {
    this.steps = steps;
  }

  /** The last step was a join of this kind. */
  get areRunning(): boolean {
    return this.thread !== NOBODY;
  }

  /** The first join, now that all else that could be done is `step`, or nothing; -1 if there is none. */
  begin(step: Step | typeof ABANDON | typeof NO_STEP): Step | -1 {
    const { steps } = this;
    const join = steps.invisible(true);
    if (join < 0) return -1;
    this.thread = processOf(join);
    const isOnly = steps.invisibleCount === 1;
    this.otherwise = isOnly && (step === ABANDON || step === NO_STEP) ? step : LOOK_AT_ALL;
    return join;
  }

  /** The next join; if there is none, what else there is to do. */
  next(): Step | typeof ABANDON | typeof NO_STEP | typeof LOOK_AT_ALL {
    const { steps, thread } = this;
    const join = steps.join(thread);
    if (join >= 0) return join;
    this.thread = NOBODY;
    return steps.hasEnded(thread) ? this.otherwise : LOOK_AT_ALL;
  }

  /** The system has gone back. */
  forget(): void {
    this.thread = NOBODY;
  }
}

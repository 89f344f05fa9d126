/**
 * explore/: which executions to look at.
 *
 * A strategy decides which enabled step runs next. It lives across executions and is the only part of the tool that
 * remembers what has been tried. It never looks inside memory. The one loop that drives it is `explore.ts`.
 *
 * Protocol, per execution:
 *   1. `beginExecution()` says how many steps of the previous execution to keep; the machine goes back to there.
 *      A negative number ends the search.
 *   2. while steps are enabled: `pick(steps)` chooses one, the machine takes it, and `observe(event)` is told the number
 *      of the event it produced. `ABANDON` instead of a step ends this execution early: nothing new lies ahead.
 *   3. `endExecution()`, once, unless the whole search is stopped in the middle of it.
 */
import type { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import type { Step } from './runnable.ts';

export const ABANDON = -1;
/** No step is enabled. */
export const NO_STEP = -2;

export interface Strategy {
  readonly name: string;
  /**
   * It asks the machine for as many enabled steps as it needs to know: the loop looks for none before `pick`, whose
   * argument then means nothing, and which may answer `NO_STEP`. All steps of all threads take long to find.
   */
  readonly looksForSteps?: boolean;
  /** It takes given steps and no others: where they end, others may keep waiting once main has returned, and a judge looks. */
  readonly followsList?: boolean;
  beginExecution(): number;
  /** `steps` is never empty and is the same whenever the same steps led here. */
  pick(steps: IntVector): Step | typeof ABANDON | typeof NO_STEP;
  observe(event: number): void;
  endExecution(): void;
  /** Why the strategy stopped, or would stop, before having tried everything; `undefined` if it covers everything. */
  readonly incomplete: Bound | undefined;
}

/** Something that watches events as they happen, and forgets them when the machine goes back. */
export interface Follower {
  observe(event: number): void;
  /** Forget all events from number `depth` on. */
  rollback(depth: number): void;
}

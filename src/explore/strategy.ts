/**
 * explore/: which executions to run.
 *
 * A strategy decides which enabled step runs next. It lives across executions and is the only part of the tool that
 * remembers what has been tried. It never looks inside memory. The one loop that drives it is `explore.ts`.
 *
 * Protocol, per execution:
 *   1. `beginExecution()` says how many steps of the previous execution to keep; the machine rolls back to there.
 *      A negative number ends the search.
 *   2. while steps are enabled: `pick(steps)` chooses one, the machine takes it, and `observe(event)` gets the number
 *      of the event that it produced. `ABANDON` instead of a step ends this execution early: nothing new lies ahead.
 *   3. `endExecution()`, once, unless the whole search is stopped in mid-execution.
 */
import type { ProgramError } from '../machine/code/error.ts';
import type { SimultaneousAccesses } from '../trace/simultaneous.ts';
import type { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import type { Step } from './runnable.ts';

export const ABANDON = -1;
/** No step is enabled. */
export const NO_STEP = -2;

export interface Strategy {
  readonly name: string;
  /**
   * The strategy itself asks the machine for the enabled steps that it needs, since finding all steps of all threads is
   * slow. The loop then looks for none before `pick`, whose argument is meaningless, and which may answer `NO_STEP`.
   */
  readonly looksForSteps?: boolean;
  /**
   * It only follows a list of steps. If the list ends after main has returned while other threads wait, the execution
   * is still judged.
   */
  readonly followsList?: boolean;
  /** It takes only choices that an axiomatic model allows. */
  readonly knowsAxioms?: boolean;
  /** With `ABANDON`: the error that ends the execution, if only the strategy can see it. */
  readonly found?: ProgramError | undefined;
  beginExecution(): number;
  /** `steps` is never empty and is the same whenever the same steps led here. */
  pick(steps: IntVector): Step | typeof ABANDON | typeof NO_STEP;
  observe(event: number): void;
  /** The strategy itself finds accesses that can happen at the same time, and tells `accesses` from now on. */
  watchRaces?(accesses: SimultaneousAccesses): void;
  /**
   * Called before the execution is judged: from here on, the machine's log must be that of a real execution. `forget` is
   * called once, while the log is that of the execution before, with how many of its events are still the same. Returns
   * that number.
   */
  arrange?(forget: (kept: number) => void): number;
  /** `hasFailed`: an error has been found, in this execution or before. */
  endExecution(hasFailed?: boolean): void;
  /** Why the strategy stopped, or would stop, before trying everything; `undefined` if it covers everything. */
  readonly incomplete: Bound | undefined;
}

/** Watches events as they happen, and forgets them when the machine rolls back. */
export interface Follower {
  observe(event: number): void;
  /** Forget all events from number `depth` on. */
  rollback(depth: number): void;
}

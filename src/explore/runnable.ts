/**
 * What a search can run: a transition system in some state that lists its enabled steps, takes one, and rolls back. The
 * machine is one. A search knows nothing else about it; reduction also knows
 * [what each thread will do next](./dpor/next-steps.ts) and [what depends on what](./dpor/dependence.ts).
 *
 * Every step makes exactly one event, and events are numbered by the depth at which they occur. The same steps lead to
 * the same state, and to the same enabled steps in the same order.
 */
import type { Step } from '../machine/state/process.ts';
import type { IntVector } from '../util/int-vector.ts';

export { choiceOf, processOf, type Step, stepOf } from '../machine/state/process.ts';

export interface Runnable {
  /** Steps taken so far. */
  readonly depth: number;
  /** No step will ever be enabled again, whatever the threads' next operations are. */
  readonly isOver: boolean;
  /** The steps that `enabled` found. */
  readonly steps: IntVector;
  /** Fills `steps` with the enabled steps and returns how many there are. */
  enabled(): number;
  /** Whether the step is enabled. */
  canTake(step: Step): boolean;
  /** Takes an enabled step. */
  step(step: Step): void;
  /** Rolls back to the state after `depth` steps. */
  rollback(depth: number): void;
  /** Adds all that future steps depend on, and nothing about how the state was reached. */
  encode(out: IntVector): void;
}

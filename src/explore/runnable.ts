/**
 * What a search can run: a transition system that stands in some state, says which steps are enabled, takes one and goes
 * back. The machine is one. A search knows nothing else of what it runs, and reduction two things more:
 * [what each thread will do next](./dpor/next-steps.ts) and [what depends on what](./dpor/dependence.ts).
 *
 * Every step makes exactly one event, and events are numbered by the depth at which they were made. The same steps lead to
 * the same state, and to the same enabled steps in the same order.
 */
import type { Step } from '../machine/state/process.ts';
import type { IntVector } from '../util/int-vector.ts';

export { choiceOf, processOf, type Step, stepOf } from '../machine/state/process.ts';

export interface Runnable {
  /** Steps taken so far. */
  readonly depth: number;
  /** No step will be enabled any more, whatever the threads would do next. */
  readonly isOver: boolean;
  /** The steps that `enabled` found. */
  readonly steps: IntVector;
  /** Fills `steps` with the enabled steps and returns how many there are. */
  enabled(): number;
  /** Whether the step is enabled. */
  canTake(step: Step): boolean;
  /** Takes an enabled step. */
  step(step: Step): void;
  /** Goes back to where `depth` steps had been taken. */
  rollback(depth: number): void;
  /** Adds all that the future depends on, and nothing that depends on how it came about. */
  encode(out: IntVector): void;
}

/** Steps as text, good for every instance of the same system. */
export interface StepNames {
  /** The first `length` steps that have been taken. */
  printTaken(length: number): string;
  print(step: Step): string;
  parse(text: string): readonly Step[];
}

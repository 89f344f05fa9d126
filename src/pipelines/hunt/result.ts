/** The result of a hunt, as plain data. */
import type { Bound } from '../../explore/bound.ts';
import type { FoundError } from '../../explore/explore.ts';
import type { Cycle } from '../../explore/relaxer/predict.ts';
import type { Model, RelaxedModel } from '../../models/index.ts';
import type { Location } from '../../program/location.ts';
import type { Verdict } from '../result.ts';

/** Where in the program an event of a cycle comes from. */
export interface CyclePlace {
  /** load, store, rmw or synchronisation. */
  readonly access: string;
  /** The user's function. */
  readonly func: string;
  readonly location?: Location;
}

/**
 * Whose cycle it is: the harness's if one place is in the harness; else the mutexes' if one is a mutex or condition
 * variable.
 */
export type CycleOwner = 'program' | 'mutexes' | 'harness';

export interface CycleResult {
  readonly cycle: Cycle;
  /** One per label of the cycle, in its order. */
  readonly places: readonly CyclePlace[];
  readonly owner: CycleOwner;
  readonly trials: number;
  readonly executions: number;
  /** Trials in which it was in the trace. */
  readonly confirmed: number;
  /** Executions that had it and failed. */
  readonly harmful: number;
  /** Trials in which some execution had the cycle and some execution, perhaps another one, failed. */
  readonly failedTrials: number;
  /** An execution that has the cycle, and the names of the cycle's events in it. */
  readonly schedule?: string;
  readonly events?: readonly string[];
  /** What each of them accesses in that execution: `flag[0]` where the source says `flag[me]`. */
  readonly names?: readonly string[];
  /** An execution that has the cycle and fails. */
  readonly error?: FoundError;
}

export interface HuntResult {
  readonly model: RelaxedModel;
  readonly verdict: Verdict;
  /** How it was decided: by trials under the model, or because the program fails under SC. */
  readonly how: 'hunted' | 'sc';
  /** SC executions, and the cycles predicted from them, for all models together. */
  readonly runs: number;
  readonly predicted: number;
  /** The worst first. Those that the model does not allow are omitted. */
  readonly cycles: readonly CycleResult[];
  readonly executions: number;
  readonly errors: readonly FoundError[];
  readonly boundedBy: readonly Bound[];
  /** The bounds in words. */
  readonly bounds: readonly string[];
  /** Why the hunt ended. */
  readonly ended: string;
  /** How many rounds there were; the last one may be incomplete. */
  readonly rounds: number;
  /** Seconds of phase 1, for all models together, and of phase 2. */
  readonly predictionSeconds: number;
  readonly seconds: number;
}

/** Progress of the current work. */
export interface HuntProgress {
  readonly model: Model;
  readonly executions: number;
  readonly predicted: number;
  readonly confirmed: number;
  readonly harmful: number;
  readonly errors: number;
}

/** A hunt proves nothing, so there is always a bound. */
export function inconclusive(bounds: readonly string[]): Verdict {
  return { kind: 'inconclusive', because: [bounds[0]!, ...bounds.slice(1)] };
}

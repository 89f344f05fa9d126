/** The report of `hunt`. */
import type { Bound } from '../explore/bound.ts';
import type { CheckInput } from './check-schema.ts';
import type { ErrorReport, ProblemReport, SCHEMA } from './parts-schema.ts';
import type { TraceReport } from './trace-schema.ts';

export interface HuntCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'hunt';
  readonly input: HuntInput;
  readonly results: readonly HuntReport[];
  readonly problems: readonly ProblemReport[];
}

/** The inputs are those of `check`; the rest configures the hunt. */
export interface HuntInput extends CheckInput {
  readonly strategy: 'hunt';
  readonly runs: number;
  readonly trials: number;
  readonly attempts: number;
  readonly cycleLength: number;
  readonly maxCycles: number;
  readonly maxSteps: number;
  readonly probability: number;
  /** Null: derived from the length of the SC runs. */
  readonly storeDelay: number | null;
  readonly loadDelay: number | null;
  readonly barrierWait: boolean;
  readonly asPublished?: true;
  /** Names of functions, variables and files that belong to the harness. */
  readonly harness: readonly string[];
}

export interface HuntReport {
  readonly file: string;
  /** The level of clang's optimiser: the result is about the optimised code. Absent if the optimiser was not used. */
  readonly optimised?: string;
  readonly model: string;
  /** A hunt never verifies anything. */
  readonly verdict: 'violation' | 'inconclusive';
  /** `hunted`: from trials under the model; `sc`: the program already fails under SC. */
  readonly how: 'hunted' | 'sc';
  /** SC executions; cycles predicted from them; how many of these the model allows. */
  readonly runs: number;
  readonly predicted: number;
  readonly possible: number;
  readonly confirmed: number;
  readonly harmful: number;
  readonly executions: number;
  /** Why it ended, and how many passes over its cycles it started. */
  readonly ended: string;
  readonly rounds: number;
  /** Time of the SC runs, for all models together; then time of the trials. */
  readonly predictionSeconds: number;
  readonly seconds: number;
  readonly bounds: readonly string[];
  /** The same bounds as data; absent if there are none. */
  readonly boundedBy?: readonly Bound[];
  /** Worst first. */
  readonly cycles: readonly HuntCycleReport[];
  readonly error?: ErrorReport;
  readonly otherErrors?: readonly ErrorReport[];
  readonly trace?: TraceReport;
}

export interface HuntCycleReport {
  /**
   * From 1: each odd place precedes the next one in its thread; each even one races with the next, the last with the
   * first.
   */
  readonly places: readonly {
    readonly access: string;
    readonly function: string;
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly variable?: string;
  }[];
  /** `harness` if any place is in the harness; otherwise `mutexes` if any is a synchronisation. */
  readonly owner: 'program' | 'mutexes' | 'harness';
  readonly verdict: 'harmful' | 'benign so far' | 'not confirmed';
  readonly trials: number;
  readonly executions: number;
  readonly confirmed: number;
  readonly harmful: number;
  /** Trials in which some execution had the cycle and some execution, perhaps another, failed. */
  readonly failedTrials: number;
  /** The share of trials in which it was confirmed. */
  readonly probability: number;
  /** An execution that has the cycle, and the names of the cycle's events in it. */
  readonly schedule?: string;
  readonly events?: readonly string[];
  /** An execution that has the cycle and fails. */
  readonly error?: ErrorReport;
}

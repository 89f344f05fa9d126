/** The report of `robust`. */
import type { Bound } from '../explore/bound.ts';
import type { WhyEnumerated } from '../pipelines/strategies.ts';
import type { CheckInput } from './check-schema.ts';
import type {
  CycleReport,
  ErrorReport,
  ProblemReport,
  RoundReport,
  SCHEMA,
  SourcePlace,
  WarningReport,
} from './parts-schema.ts';
import type { TraceReport } from './trace-schema.ts';

export interface RobustCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'robust';
  readonly input: CheckInput;
  readonly results: readonly RobustReport[];
  readonly problems: readonly ProblemReport[];
}

export interface RobustReport {
  readonly file: string;
  /** The level of clang's optimiser: the result is about the code that it made. Absent if it was not used. */
  readonly optimised?: string;
  readonly model: string;
  readonly monitors: readonly string[];
  /** Verified: robust. Violation: not robust, or fails under SC. */
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  readonly how: 'explored' | 'robust' | 'sc';
  readonly enumerated?: WhyEnumerated;
  readonly robust: boolean | null;
  /** SC executions. */
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy?: { readonly assume: number; readonly unroll: number; readonly spin: number };
  readonly givenUp?: number;
  readonly cutsIdleLoops?: boolean;
  readonly seconds: number;
  /** With strategies `bounded` and `delays`: what each number of preemptions or delays added. */
  readonly byBound?: readonly RoundReport[];
  readonly bounds: readonly string[];
  /** The bounds as data, if there are any. */
  readonly boundedBy?: readonly Bound[];
  /** Of SC, with the execution that ends in it, and the warnings there. */
  readonly error?: ErrorReport;
  readonly trace?: TraceReport;
  readonly warnings?: readonly WarningReport[];
  /** One per monitor: executions with an alarm, and the first of them; absent in reports of earlier versions. */
  readonly statistics?: readonly StatisticsReport[];
  /** Each pair of places once. */
  readonly violations: readonly ViolationReport[];
}

export interface StatisticsReport {
  readonly monitor: string;
  /** Executions with an alarm. */
  readonly borderline: number;
  /** The number of the first of them, from 1, and the time until then. */
  readonly first?: { readonly execution: number; readonly seconds: number };
}

/**
 * `event` can take effect before the store `write` reaches memory, although `write` is ordered before its thread's last
 * event.
 */
export interface ViolationReport {
  readonly monitor: string;
  readonly event: SourcePlace | null;
  readonly write: SourcePlace | null;
  /** In an execution of the model, which the schedule replays. */
  readonly cycle: CycleReport;
  /** True: some continuation from there ended in an error. False: no failure found by continuing. */
  readonly harmful: boolean;
  readonly error?: ErrorReport;
  /** A continuation ended here, at a call of a function that nobody defines. */
  readonly undefinedCall?: SourcePlace | null;
  /** With `--html`: an execution that ends in the error, or has the cycle if there is none. */
  readonly trace?: TraceReport;
}

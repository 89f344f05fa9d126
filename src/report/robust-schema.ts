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
  /** The level of clang's optimiser: the result is about the optimised code. Absent if the optimiser was not used. */
  readonly optimised?: string;
  readonly model: string;
  readonly monitors: readonly string[];
  /** Verified: robust. Violation: not robust, or the program fails under SC. */
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  readonly how: 'explored' | 'robust' | 'sc';
  readonly enumerated?: WhyEnumerated;
  readonly robust: boolean | null;
  /** SC executions. */
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy?: {
    readonly assume: number;
    readonly covered?: number;
    readonly unroll: number;
    readonly spin: number;
  };
  readonly givenUp?: number;
  readonly cutsIdleLoops?: boolean;
  readonly seconds: number;
  /** With strategies `bounded` and `delays`: what each number of preemptions or delays added. */
  readonly byBound?: readonly RoundReport[];
  readonly bounds: readonly string[];
  /** The same bounds as data; absent if there are none. */
  readonly boundedBy?: readonly Bound[];
  /** A failure under SC, with the execution that ends in it, and the warnings under SC. */
  readonly error?: ErrorReport;
  readonly trace?: TraceReport;
  readonly warnings?: readonly WarningReport[];
  /**
   * One per monitor: how many executions raised an alarm, and the first of them; absent in reports of earlier versions.
   */
  readonly statistics?: readonly StatisticsReport[];
  /** One per pair of places and monitor. */
  readonly violations: readonly ViolationReport[];
}

export interface StatisticsReport {
  readonly monitor: string;
  /** How many executions raised an alarm. */
  readonly borderline: number;
  /** The number of the first such execution, from 1, and the time until then. */
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
  /** In an execution under the model, which the schedule replays. */
  readonly cycle: CycleReport;
  /** True: some continuation of that execution ended in an error. False: none of those tried did. */
  readonly harmful: boolean;
  readonly error?: ErrorReport;
  /** A continuation ended here, at a call of a function without a definition. */
  readonly undefinedCall?: SourcePlace | null;
  /** With `--html`: an execution that ends in the error or, if there is none, one that has the cycle. */
  readonly trace?: TraceReport;
}

/** The report of `check`, and what it says about its input. */
import type { Bound } from '../explore/bound.ts';
import type { KeptCompile } from '../options/kept-compile.ts';
import type { Unchecked } from '../pipelines/model-result.ts';
import type { WhyEnumerated } from '../pipelines/strategies.ts';
import type { CycleReport, ErrorReport, ProblemReport, RoundReport, SCHEMA, WarningReport } from './parts-schema.ts';
import type { TraceReport } from './trace-schema.ts';

export interface CheckCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'check';
  /** The program and the options, so that it can be run again. */
  readonly input: CheckInput;
  readonly results: readonly CheckReport[];
  readonly problems: readonly ProblemReport[];
}

/** Includes the options that decide which program is checked (`options/kept-compile.ts`). */
export interface CheckInput extends KeptCompile {
  readonly files: readonly string[];
  /** Results of marked operations were compared with those of serial executions; otherwise absent. */
  readonly observations?: true;
  /** The search continued after errors, to find others; otherwise absent. */
  readonly keepGoing?: true;
  readonly strategy: string;
  readonly seed: number;
  /** Which clang made the IR. */
  readonly clang: string;
  /** The text of the program `<stdin>`, if there is one. */
  readonly stdinSource?: string;
  /** The user's files that have code in the program, and a hash of the program itself. */
  readonly sources?: readonly SourceHash[];
  readonly program?: string;
}

export interface SourceHash {
  readonly file: string;
  readonly sha256: string;
}

export interface CheckReport {
  readonly file: string;
  /** The level of clang's optimiser: the result is about the optimised code. Absent if the optimiser was not used. */
  readonly optimised?: string;
  readonly model: string;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /**
   * `explored`: the model was explored; `robust`: the monitors prove that it has only SC executions; `sc`: the program
   * already fails under SC; `subset`: the search of SC was cut short, but that of `subsetOf`, which has all SC
   * executions, was not.
   */
  readonly how: 'explored' | 'robust' | 'sc' | 'subset';
  readonly subsetOf?: string;
  /** What there was none of: a second thread in the executions so far; an assertion in the program. */
  readonly unchecked?: readonly Unchecked[];
  /**
   * Why the executions were enumerated although another exact strategy was asked for. With `all errors`, that strategy
   * ran first.
   */
  readonly enumerated?: WhyEnumerated;
  readonly executions: number;
  readonly blocked: number;
  /** By cause; absent if none are blocked. */
  readonly blockedBy?: {
    readonly assume: number;
    readonly covered?: number;
    readonly unroll: number;
    readonly spin: number;
  };
  /** With strategy `source`: further executions, given up because only redundant steps were left. */
  readonly givenUp?: number;
  /** Loop iterations that only wait were omitted. */
  readonly cutsIdleLoops?: boolean;
  /** Loops that wait but were searched iteration by iteration, and why; absent if there are none. */
  readonly loops?: readonly {
    readonly place: string;
    readonly why: string;
    readonly isLong?: true;
    readonly isRecursion?: true;
  }[];
  /** With `--only`: the kinds that count as errors. */
  readonly only?: readonly string[];
  /** Null if not requested or not determined. */
  readonly robust: boolean | null;
  /** With `--robust`: traces that SC does not allow, and a cycle in one of them. */
  readonly beyondSc?: number;
  readonly cycle?: CycleReport;
  readonly seconds: number;
  /** With strategies `bounded` and `delays`: what each number of preemptions or delays added. */
  readonly byBound?: readonly RoundReport[];
  /** With strategies `random`, `pct` and `pos`: distinct traces, and those seen in only one run. */
  readonly coverage?: CoverageReport;
  /** With strategy `pct`: a lower bound on the probability of finding a bug of this depth. */
  readonly guarantee?: GuaranteeReport;
  readonly bounds: readonly string[];
  /** The same bounds as data; absent if there are none. */
  readonly boundedBy?: readonly Bound[];
  /** Races and leaks that are not errors. */
  readonly warnings: readonly WarningReport[];
  readonly error?: ErrorReport;
  readonly otherErrors?: readonly (ErrorReport & { readonly trace?: TraceReport })[];
  /** The execution that ends in `error`. */
  readonly trace?: TraceReport;
}

export interface CoverageReport {
  readonly runs: number;
  readonly traces: number;
  readonly once: number;
}

export interface GuaranteeReport {
  readonly depth: number;
  readonly processes: number;
  readonly steps: number;
  readonly perRun: number;
  readonly inAll: number;
}

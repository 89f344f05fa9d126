/**
 * report/: what people and programs read.
 *
 * The shape of `--json` output, version `fencepost/1`; `docs/report-format.md` describes it for users. Everything here is
 * plain JSON. Fields are added within a version, never renamed or removed.
 */
import type { Bound } from '../explore/bound.ts';
import type { KeptCompile } from '../options/kept-compile.ts';
import type { WhyEnumerated } from '../pipelines/strategies.ts';
import type { CycleEdgeReport, EventPlace, JsonValue, TraceReport } from './trace-schema.ts';

export const SCHEMA = 'fencepost/1';

export type Report =
  | LitmusCommandReport
  | CheckCommandReport
  | RobustCommandReport
  | HuntCommandReport
  | FixCommandReport
  | MonitorCommandReport;

export interface LitmusCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'litmus';
  readonly results: readonly LitmusReport[];
  /** Inputs that could not be used: each file, with the place if it is known. */
  readonly problems: readonly ProblemReport[];
}

export interface ProblemReport {
  readonly file: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface CheckCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'check';
  /** The program and the options, so that it can be run again. */
  readonly input: CheckInput;
  readonly results: readonly CheckReport[];
  readonly problems: readonly ProblemReport[];
}

/** With the options that decide which program it is (`options/kept-compile.ts`). */
export interface CheckInput extends KeptCompile {
  readonly files: readonly string[];
  /** Results of marked operations were compared with those of serial executions; absent if not. */
  readonly observations?: true;
  /** It continued after errors, to find others; absent if not. */
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
  /** The level of clang's optimiser: the result is about the code that it made. Absent if it was not used. */
  readonly optimised?: string;
  readonly model: string;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** By exploring the model; because it has only SC executions, as the monitors prove; or because the program fails under SC. */
  readonly how: 'explored' | 'robust' | 'sc';
  /** Why the executions were enumerated, if another exact strategy was asked for; after that strategy for `all errors`. */
  readonly enumerated?: WhyEnumerated;
  readonly executions: number;
  readonly blocked: number;
  /** If there are any: by cause. */
  readonly blockedBy?: { readonly assume: number; readonly unroll: number; readonly spin: number };
  /** With strategy `source`: further executions, given up because only redundant steps were left. */
  readonly givenUp?: number;
  /** Loop iterations that only wait were omitted. */
  readonly cutsIdleLoops?: boolean;
  /** If there are any: loops that wait, but were searched iteration by iteration, and why. */
  readonly loops?: readonly { readonly place: string; readonly why: string }[];
  /** With `--only`: what counts as an error. */
  readonly only?: readonly string[];
  /** Null if that was not requested, or not determined. */
  readonly robust: boolean | null;
  /** With `--robust`: traces that SC does not allow, and a cycle in one of them. */
  readonly beyondSc?: number;
  readonly cycle?: CycleReport;
  readonly seconds: number;
  /** With strategies `bounded` and `delays`: what each number of preemptions or delays added. */
  readonly byBound?: readonly RoundReport[];
  /** With strategies `random` and `pct`: distinct traces, and those that only one run has. */
  readonly coverage?: CoverageReport;
  /** With strategy `pct`: the least probability of finding a bug of this depth. */
  readonly guarantee?: GuaranteeReport;
  readonly bounds: readonly string[];
  /** The bounds as data, if there are any. */
  readonly boundedBy?: readonly Bound[];
  /** Races and leaks that are not errors. */
  readonly warnings: readonly WarningReport[];
  readonly error?: ErrorReport;
  readonly otherErrors?: readonly (ErrorReport & { readonly trace?: TraceReport })[];
  /** The execution that ends in `error`. */
  readonly trace?: TraceReport;
}

/** The executions with exactly this many preemptions or delays. */
export interface RoundReport {
  readonly bound: 'preemptions' | 'delays';
  readonly limit: number;
  readonly executions: number;
  readonly blocked: number;
  /** With monitors: distinct violations that earlier rows do not show. */
  readonly violations?: number;
  /** With monitors: the executions with an alarm. */
  readonly borderline?: readonly { readonly monitor: string; readonly executions: number }[];
  readonly seconds: number;
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

export interface MonitorCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'monitor';
  readonly results: readonly MonitorReport[];
  readonly problems: readonly ProblemReport[];
}

export interface MonitorReport {
  readonly file: string;
  readonly monitors: readonly string[];
  /** One execution proves nothing. */
  readonly verdict: 'violation' | 'inconclusive';
  readonly robust: false | null;
  readonly events: number;
  readonly bounds: readonly string[];
  /** The same as data; absent in reports of earlier versions. */
  readonly boundedBy?: readonly Bound[];
  readonly violations: readonly {
    readonly monitor: string;
    readonly model: string;
    readonly thread: number;
    readonly writer: number;
    /** Places in the source, as in the log. */
    readonly event?: string;
    readonly write?: string;
    readonly variable?: string;
    readonly eventNumber: number;
    readonly writeNumber: number;
    readonly count: number;
    /** Of the first time; absent in reports of earlier versions. */
    readonly witness?: WitnessReport;
    /** Why there is none. */
    readonly noWitness?: string;
  }[];
}

export interface WitnessReport {
  /** Each event happens before the next, and the last before the first; `relation` is that to the next. */
  readonly cycle: readonly (LoggedEventReport & { readonly relation: string })[];
  /**
   * An execution of the model that has this cycle, from the store on that comes late: what happens before the early event, and that
   * event. A `buffered` store stays in its buffer until it `reaches memory`.
   */
  readonly execution: readonly (LoggedEventReport & { readonly step: 'at once' | 'buffered' | 'reaches memory' })[];
}

/** An event of a log. */
export interface LoggedEventReport {
  readonly number: number;
  readonly thread: number;
  /** `store flag[0]` */
  readonly effect: string;
  readonly place?: string;
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

export interface FixCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'fix';
  readonly input: CheckInput;
  readonly results: readonly FixReport[];
  readonly problems: readonly ProblemReport[];
}

export interface FixReport {
  readonly file: string;
  readonly models: readonly string[];
  readonly goal: 'safe' | 'robust';
  /** Absent if not. */
  readonly minimise?: true;
  /**
   * `fixed`; `unneeded`: holds as it is, or with `--minimise` needs all its fences; `sc`: already fails under SC;
   * `impossible`: no set of changes helps; `stopped`: before an answer.
   */
  readonly outcome: 'fixed' | 'unneeded' | 'sc' | 'impossible' | 'stopped';
  /** Of the patched sources, or of the program if nothing needs to change; inconclusive: valid up to `bounds`. */
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  readonly bounds: readonly string[];
  /** The same as data, if there are any. */
  readonly boundedBy?: readonly Bound[];
  readonly cost?: number;
  /** With `--minimise`: what stays. */
  readonly changes?: readonly ChangeReport[];
  /** With `--minimise`: fences that are removed (`after` null) or weakened. */
  readonly removed?: readonly {
    readonly place: SourcePlace | null;
    readonly before: ChangeReport['kind'];
    readonly after: ChangeReport['kind'] | null;
  }[];
  /** With `--minimise` and rc11: what each access and fence is now, and could be (`could` null: not needed). */
  readonly weakest?: readonly WeakestReport[];
  /** With `--minimise`: what was not examined. */
  readonly untouched?: readonly UntouchedReport[];
  /** Other sets of changes of the same cost. */
  readonly others?: readonly (readonly ChangeReport[])[];
  /** There are more than are listed here. */
  readonly hasMore?: boolean;
  /** A unified diff. */
  readonly patch?: string;
  /** The patch in base64, if the files are not UTF-8. */
  readonly patchBytes?: string;
  /** The folder that its paths are relative to. */
  readonly patchFolder?: string;
  /** The result of checking the patched sources from scratch. */
  readonly proofs?: readonly { readonly model: string; readonly verdict: string; readonly executions: number }[];
  /** The files were changed. */
  readonly written?: boolean;
  /** Of `impossible`: two accesses that nothing keeps in order. */
  readonly between?: OrdersReport & { readonly why: string; readonly advice: string };
  /** Of `impossible`: the model of the execution that no change prevents. */
  readonly model?: string;
  /** Of `sc`: what was explored, and the warnings. */
  readonly executions?: number;
  readonly blocked?: number;
  readonly blockedBy?: { readonly assume: number; readonly unroll: number; readonly spin: number };
  readonly warnings?: readonly WarningReport[];
  /** Under SC, or the one that no change prevents. */
  readonly error?: ErrorReport;
  readonly trace?: TraceReport;
}

export interface ChangeReport {
  readonly kind: 'full-fence' | 'store-fence' | 'acquire-fence' | 'release' | 'acquire' | 'acquire-failure' | 'seq_cst';
  /** With several models, rc11 among them: those under which the change is needed. */
  readonly askedBy?: readonly string[];
  /** A fence goes right before this place; otherwise, this is the access whose order becomes stronger. */
  readonly place: SourcePlace | null;
  /** The statement that a fence goes right after, if it is the last one there. */
  readonly behind?: SourcePlace;
  readonly cost: number;
  readonly orders?: OrdersReport;
}

/** In an execution: `early` happens before the store `late` reaches memory, which closes the cycle. */
export interface OrdersReport {
  readonly model: string;
  readonly late: EventPlace;
  readonly early: EventPlace;
  readonly cycle: readonly { readonly event: EventPlace; readonly relation: string }[];
  /** The error that ends the execution, if any. */
  readonly error?: Omit<ErrorReport, 'schedule'>;
}

export interface WeakestReport {
  readonly place: SourcePlace | null;
  readonly what: string;
  readonly now: string;
  readonly could: string | null;
}

export interface UntouchedReport {
  readonly place: SourcePlace;
  readonly what: string;
  readonly why: string;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly variable?: string;
  /** The whole line; of a litmus test, the instruction. */
  readonly text?: string;
}

export interface WarningReport {
  readonly kind: 'race' | 'leak';
  readonly message: string;
  /** The two accesses of a race, or the allocation of a leak. */
  readonly places: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}

export interface HuntCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'hunt';
  readonly input: HuntInput;
  readonly results: readonly HuntReport[];
  readonly problems: readonly ProblemReport[];
}

/** The inputs are as for `check`; the rest configures the hunt. */
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
  /** Names of functions, variables and files. */
  readonly harness: readonly string[];
}

export interface HuntReport {
  readonly file: string;
  /** The level of clang's optimiser: the result is about the code that it made. Absent if it was not used. */
  readonly optimised?: string;
  readonly model: string;
  /** A hunt never verifies anything. */
  readonly verdict: 'violation' | 'inconclusive';
  /** From trials under the model, or because the program fails under SC. */
  readonly how: 'hunted' | 'sc';
  /** SC executions; cycles predicted from them; how many of these the model allows. */
  readonly runs: number;
  readonly predicted: number;
  readonly possible: number;
  readonly confirmed: number;
  readonly harmful: number;
  readonly executions: number;
  /** Why it ended, and how often it began to go through its cycles. */
  readonly ended: string;
  readonly rounds: number;
  /** Of the SC runs, for all models together; of the trials. */
  readonly predictionSeconds: number;
  readonly seconds: number;
  readonly bounds: readonly string[];
  /** The bounds as data, if there are any. */
  readonly boundedBy?: readonly Bound[];
  /** The worst first. */
  readonly cycles: readonly HuntCycleReport[];
  readonly error?: ErrorReport;
  readonly otherErrors?: readonly ErrorReport[];
  readonly trace?: TraceReport;
}

export interface HuntCycleReport {
  /** Each odd one precedes the next in its thread; each even one races with the next, the last with the first. */
  readonly places: readonly {
    readonly access: string;
    readonly function: string;
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly variable?: string;
  }[];
  /** Whose it is: of the harness if one place is in it, else of mutexes if one is a synchronisation. */
  readonly owner: 'program' | 'mutexes' | 'harness';
  readonly verdict: 'harmful' | 'benign so far' | 'not confirmed';
  readonly trials: number;
  readonly executions: number;
  readonly confirmed: number;
  readonly harmful: number;
  /** Trials in which an execution had it and one, perhaps another, failed. */
  readonly failedTrials: number;
  /** The share of trials in which it was confirmed. */
  readonly probability: number;
  /** An execution that has the cycle, and the names of its events there. */
  readonly schedule?: string;
  readonly events?: readonly string[];
  /** An execution that has the cycle and fails. */
  readonly error?: ErrorReport;
}

/** Each edge starts where the one before ends; the last ends where the first starts. */
export interface CycleReport {
  readonly schedule: string;
  readonly edges: readonly CycleEdgeReport[];
  /** With `check --robust`, if there is no error: the execution it is in. */
  readonly trace?: TraceReport;
}

export interface ErrorReport {
  readonly kind: 'assertion' | 'deadlock' | 'liveness' | 'memory' | 'misuse' | 'race';
  readonly message: string;
  readonly thread?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where an object came from, where a lock was taken, and the like. */
  readonly notes?: readonly string[];
  readonly schedule: string;
  /** The schedule that the search found; `schedule` is then a simpler execution with the same error. */
  readonly originalSchedule?: string;
  /** Number of steps of the execution, if they are too many for a `trace`. */
  readonly steps?: number;
  /** Stable: the same error of the same program has the same value in every run. */
  readonly id?: string;
}

export interface LitmusReport {
  readonly file: string;
  readonly test: string;
  readonly model: string;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** By name: the registers and locations named in the condition, the filter and `locations`. */
  readonly states: readonly Readonly<Record<string, JsonValue>>[];
  /** `holds` is null where a bound leaves the answer open; `condition` is null if the test has none. */
  readonly condition: {
    readonly kind: 'exists' | '~exists' | 'forall';
    readonly holds: boolean | null;
    /** As written in the test. */
    readonly text?: string;
    /** For each entry of `states`: whether it satisfies the proposition. */
    readonly satisfied?: readonly boolean[];
  } | null;
  readonly executions: number;
  readonly blocked: number;
  readonly robust: boolean | null;
  readonly seconds: number;
  /** What cut the search short; empty if nothing did. */
  readonly bounds: readonly string[];
  /** The bounds as data, if there are any. */
  readonly boundedBy?: readonly Bound[];
  /** Of `inconclusive`: the number of machine states visited. */
  readonly visitedStates?: number;
  /** With `--traces`: for each entry of `states`, an execution that ends there. */
  readonly traces?: readonly TraceReport[];
}

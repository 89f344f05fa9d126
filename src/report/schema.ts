/**
 * report/: what people and programs get to read.
 *
 * The shape of `--json` output, version `fencepost/1`; `docs/report-format.md` describes it for users. Everything here is
 * plain JSON. Fields are added within a version, never renamed or removed.
 */
export const SCHEMA = 'fencepost/1';

export type Report = LitmusCommandReport | CheckCommandReport | HuntCommandReport;

export interface LitmusCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'litmus';
  readonly results: readonly LitmusReport[];
  /** Inputs that could not be used: each file, with the place where that is known. */
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
  /** What was run and how, so that it can be run again. */
  readonly input: CheckInput;
  readonly results: readonly CheckReport[];
  readonly problems: readonly ProblemReport[];
}

export interface CheckInput {
  readonly files: readonly string[];
  readonly entry: string;
  readonly arguments: readonly string[];
  readonly defines: readonly string[];
  readonly undefines: readonly string[];
  readonly includePaths: readonly string[];
  readonly includes: readonly string[];
  readonly standard?: string;
  /** Condition waits could end for no reason; absent if not. */
  readonly spurious?: true;
  /** Results of marked operations were compared with those of serial executions; absent if not. */
  readonly observations?: true;
  readonly strategy: string;
  readonly seed: number;
  /** Which clang made the IR. */
  readonly clang: string;
}

export interface CheckReport {
  readonly file: string;
  readonly model: string;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** By exploring the model, or because SC is wrong already. */
  readonly how: 'explored' | 'sc';
  readonly executions: number;
  readonly blocked: number;
  /** If there are any: by cause. */
  readonly blockedBy?: { readonly assume: number; readonly unroll: number; readonly spin: number };
  /** Iterations of loops that only wait were left out. */
  readonly cutsIdleLoops?: boolean;
  /** Null if that was not asked, or not found out. */
  readonly robust: boolean | null;
  /** With `--robust`: traces that SC has not got, and a cycle in one of them. */
  readonly beyondSc?: number;
  readonly cycle?: CycleReport;
  readonly seconds: number;
  readonly bounds: readonly string[];
  readonly error?: ErrorReport;
  readonly otherErrors?: readonly ErrorReport[];
  /** The execution that ends in `error`. */
  readonly trace?: TraceReport;
}

export interface HuntCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'hunt';
  readonly input: HuntInput;
  readonly results: readonly HuntReport[];
  readonly problems: readonly ProblemReport[];
}

/** What to run again is as for `check`; the rest says how the hunt went about it. */
export interface HuntInput extends CheckInput {
  readonly strategy: 'hunt';
  readonly runs: number;
  readonly trials: number;
  readonly attempts: number;
  readonly cycleLength: number;
  readonly maxCycles: number;
  readonly maxSteps: number;
  readonly probability: number;
  /** Null: by the length of the SC runs. */
  readonly storeDelay: number | null;
  readonly loadDelay: number | null;
  readonly barrierWait: boolean;
}

export interface HuntReport {
  readonly file: string;
  readonly model: string;
  /** A hunt never verifies anything. */
  readonly verdict: 'violation' | 'inconclusive';
  /** By trials under the model, or because SC is wrong already. */
  readonly how: 'hunted' | 'sc';
  /** SC executions; cycles predicted from them; those of them that the model could have. */
  readonly runs: number;
  readonly predicted: number;
  readonly possible: number;
  readonly confirmed: number;
  readonly harmful: number;
  readonly executions: number;
  readonly seconds: number;
  readonly bounds: readonly string[];
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
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly variable?: string;
  }[];
  readonly verdict: 'harmful' | 'benign so far' | 'not confirmed';
  readonly trials: number;
  readonly executions: number;
  readonly confirmed: number;
  readonly harmful: number;
  /** Confirmed trials of all trials. */
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
  readonly edges: readonly { readonly from: EventPlace; readonly relation: string; readonly to: EventPlace }[];
}

export interface EventPlace {
  readonly event: string;
  readonly thread: string;
  readonly effect: string;
  readonly file?: string;
  readonly line?: number;
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
}

/** An integer; a string for one that does not fit a double exactly, and for the address of a location (its name). */
export type JsonValue = number | string;

export interface LitmusReport {
  readonly file: string;
  readonly test: string;
  readonly model: string;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** By name: the registers and locations named in the condition, the filter and `locations`. */
  readonly states: readonly Readonly<Record<string, JsonValue>>[];
  /** `holds` is null where a bound leaves the answer open; `condition` is null if the test has none. */
  readonly condition: { readonly kind: 'exists' | '~exists' | 'forall'; readonly holds: boolean | null } | null;
  readonly executions: number;
  readonly blocked: number;
  readonly robust: boolean | null;
  readonly seconds: number;
  /** What cut the search short; empty if nothing did. */
  readonly bounds: readonly string[];
  /** With `--traces`: for each entry of `states`, an execution that ends there. */
  readonly traces?: readonly TraceReport[];
}

export interface TraceReport {
  readonly schedule: string;
  readonly events: readonly EventReport[];
  /** What the program printed. */
  readonly output: string;
}

export interface EventReport {
  readonly event: string;
  readonly thread: string;
  readonly kind: string;
  readonly effect: string;
  readonly file?: string;
  readonly line?: number;
  /** 0 where it is not known. */
  readonly column?: number;
  readonly text?: string;
  /** The stores that wait after this event. */
  readonly buffers: string;
}

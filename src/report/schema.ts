/**
 * report/: what people and programs get to read.
 *
 * The shape of `--json` output, version `fencepost/1`; `docs/report-format.md` describes it for users. Everything here is
 * plain JSON. Fields are added within a version, never renamed or removed.
 */
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
  readonly model: string;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** By exploring the model; because its executions are those of SC, as the monitors prove; or SC is wrong already. */
  readonly how: 'explored' | 'robust' | 'sc';
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
  /** Races and leaks that are no errors. */
  readonly warnings: readonly WarningReport[];
  readonly error?: ErrorReport;
  readonly otherErrors?: readonly (ErrorReport & { readonly trace?: TraceReport })[];
  /** The execution that ends in `error`. */
  readonly trace?: TraceReport;
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
  readonly model: string;
  readonly monitors: readonly string[];
  /** Verified: robust. Violation: not robust, or wrong under SC already. */
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  readonly how: 'explored' | 'robust' | 'sc';
  readonly robust: boolean | null;
  /** Of SC. */
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy?: { readonly assume: number; readonly unroll: number; readonly spin: number };
  readonly cutsIdleLoops?: boolean;
  readonly seconds: number;
  readonly bounds: readonly string[];
  /** Of SC, with the execution that ends in it. */
  readonly error?: ErrorReport;
  readonly trace?: TraceReport;
  /** Each pair of places once. */
  readonly violations: readonly ViolationReport[];
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
  readonly violations: readonly {
    readonly monitor: string;
    readonly model: string;
    readonly thread: number;
    readonly writer: number;
    /** Places in the source, as the log has them. */
    readonly event?: string;
    readonly write?: string;
    readonly variable?: string;
    readonly eventNumber: number;
    readonly writeNumber: number;
    readonly count: number;
  }[];
}

/** `event` can come before the store `write` reaches memory, though `write` is ordered before what its thread did. */
export interface ViolationReport {
  readonly monitor: string;
  readonly event: SourcePlace | null;
  readonly write: SourcePlace | null;
  /** In an execution of the model, which the schedule replays. */
  readonly cycle: CycleReport;
  /** Going on from there ended in an error. False: not in the ways that were tried. */
  readonly harmful: boolean;
  readonly error?: ErrorReport;
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
  /**
   * `fixed`; `unneeded`: holds as it is, or with `--minimise` needs all its fences; `sc`: wrong under SC already;
   * `impossible`: no set of changes helps; `stopped`: before an answer.
   */
  readonly outcome: 'fixed' | 'unneeded' | 'sc' | 'impossible' | 'stopped';
  /** Of the patched sources, or of the program if nothing is to be changed; inconclusive: valid up to `bounds`. */
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  readonly bounds: readonly string[];
  readonly cost?: number;
  /** With `--minimise`: what is kept. */
  readonly changes?: readonly ChangeReport[];
  /** With `--minimise`: fences that go (`after` null) or become weaker. */
  readonly removed?: readonly {
    readonly place: SourcePlace | null;
    readonly before: string;
    readonly after: string | null;
  }[];
  /** With `--minimise`: what it did not look at. */
  readonly untouched?: readonly UntouchedReport[];
  /** Other sets of changes of the same cost. */
  readonly others?: readonly (readonly ChangeReport[])[];
  /** There are more than these. */
  readonly hasMore?: boolean;
  /** A unified diff. */
  readonly patch?: string;
  /** The folder that its paths start from. */
  readonly patchFolder?: string;
  /** What checking the patched sources from scratch gave. */
  readonly proofs?: readonly { readonly model: string; readonly verdict: string; readonly executions: number }[];
  /** The files were changed. */
  readonly written?: boolean;
  /** Of `impossible`: two accesses that nothing keeps in order. */
  readonly between?: OrdersReport & { readonly why: string; readonly advice: string };
  /** Under SC, or the one that nothing prevents. */
  readonly error?: ErrorReport;
  readonly trace?: TraceReport;
}

export interface ChangeReport {
  readonly kind: 'full-fence' | 'store-fence' | 'release' | 'seq_cst';
  /** A fence goes right before it; otherwise the access whose order becomes stronger. */
  readonly place: SourcePlace | null;
  readonly cost: number;
  readonly orders?: OrdersReport;
}

/** In an execution: `early` happens before the store `late` reaches memory, and the cycle which that closes. */
export interface OrdersReport {
  readonly model: string;
  readonly late: EventPlace;
  readonly early: EventPlace;
  readonly cycle: readonly { readonly event: EventPlace; readonly relation: string }[];
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
}

export interface WarningReport {
  readonly kind: 'race' | 'leak';
  readonly message: string;
  /** Of a race the two accesses, of a leak the allocation. */
  readonly places: readonly { readonly file: string; readonly line: number; readonly column: number }[];
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
  readonly edges: readonly CycleEdgeReport[];
}

export interface CycleEdgeReport {
  readonly from: EventPlace;
  readonly relation: string;
  readonly to: EventPlace;
}

export interface EventPlace {
  readonly event: string;
  readonly thread: string;
  readonly effect: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
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
  /** As the search found it; `schedule` is then a simpler execution with the same error. */
  readonly originalSchedule?: string;
  /** The same for the same error of the same program, from run to run. */
  readonly id?: string;
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
  readonly condition: {
    readonly kind: 'exists' | '~exists' | 'forall';
    readonly holds: boolean | null;
    /** As it is written in the test. */
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
  /** With `--traces`: for each entry of `states`, an execution that ends there. */
  readonly traces?: readonly TraceReport[];
}

export interface TraceReport {
  readonly schedule: string;
  /** The threads that exist in it, by name. */
  readonly threads: readonly ThreadReport[];
  readonly events: readonly EventReport[];
  /** Blocks of the heap that the events name, as `#1`. */
  readonly blocks: readonly BlockReport[];
  /** Where threads stand at the end: the one with the error, or all that wait for ever. */
  readonly ends: readonly EndReport[];
  /** Whether SC has this execution too; absent under SC. */
  readonly sequential?: boolean;
  /** If SC has not: why, as a cycle of what comes before what, and in words. */
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation?: readonly string[];
  /** What comes before what, apart from program order; a buffered store stands for its update too. */
  readonly edges?: readonly EdgeReport[];
  /** What memory has, over time, in the places that the events access; by address. */
  readonly places?: readonly PlaceReport[];
  /** What the program printed. */
  readonly output: string;
}

/** `from` and `to` are places in `events`, from 0. */
export interface EdgeReport {
  readonly from: number;
  readonly to: number;
  /** source, store order, conflict, synchronisation, create or join. */
  readonly relation: string;
}

export interface PlaceReport {
  readonly location: string;
  readonly address: string;
  readonly bytes: number;
  /** Ascending by `after`. */
  readonly values: readonly PlaceValue[];
}

export interface PlaceValue {
  /** So many events had happened when memory had the value first; the first entry may be later than 0. */
  readonly after: number;
  readonly value: JsonValue;
}

export interface ThreadReport {
  readonly thread: string;
  /** What it started with. */
  readonly function?: string;
  /** Where it was created. */
  readonly file?: string;
  readonly line?: number;
}

export interface EndReport {
  readonly thread: string;
  /** What is wrong there. */
  readonly what: string;
  readonly file?: string;
  readonly line?: number;
  readonly text?: string;
}

export interface BlockReport {
  readonly name: string;
  readonly bytes: number;
  /** It is on the stack of a thread, not from `malloc`; absent if not. */
  readonly local?: true;
  /** The name of the local variable. */
  readonly variable?: string;
  /** Where it was allocated, or declared. */
  readonly file?: string;
  readonly line?: number;
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
  /** The function that the place is in. */
  readonly function?: string;
  /** What is accessed, as the program calls it; and under a name that no other place has. */
  readonly location?: string;
  readonly address?: string;
  readonly read?: JsonValue;
  readonly wrote?: JsonValue;
  /** The value in memory that a write which reached memory took the place of. */
  readonly overwrote?: JsonValue;
  /** The store waits in its thread's buffer, until the `update` of the same name. */
  readonly buffered?: true;
  /** What memory had there when the store was buffered. */
  readonly memory?: JsonValue;
  /** How many store–store barriers of its thread a buffered store waits behind, if any. */
  readonly barriers?: number;
  /** Of a read: the event that wrote the value. Absent if none did: the value was there from the start. */
  readonly from?: string;
  /** The value came out of the own store buffer. */
  readonly forwarded?: true;
  /** Newer values of what was read that still waited in the buffers of other threads. */
  readonly stale?: readonly WaitingStore[];
  /** The error is a data race, of this event with the one of this name. */
  readonly races?: string;
  /** The memory order, if there is one. */
  readonly order?: string;
  /** The thread that was created, joined or woken. */
  readonly other?: string;
  /** Of a wait on a condition: the address of the mutex that it gives up. */
  readonly unlocks?: string;
  /** What the step printed. */
  readonly printed?: string;
  /** No other thread could notice it; the table for people leaves it out. */
  readonly aside?: true;
  /** The stores that wait after this event. */
  readonly buffers: string;
}

export interface WaitingStore {
  readonly event: string;
  readonly thread: string;
  readonly value: JsonValue;
}

/** The report of `fix`. */
import type { Bound } from '../explore/bound.ts';
import type { CheckInput } from './check-schema.ts';
import type { ErrorReport, ProblemReport, SCHEMA, SourcePlace, WarningReport } from './parts-schema.ts';
import type { EventPlace, TraceReport } from './trace-schema.ts';

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
  /** With `--minimise`; otherwise absent. */
  readonly minimise?: true;
  /**
   * `fixed`; `unneeded`: the program holds as it is or, with `--minimise`, needs all its fences; `sc`: it already fails
   * under SC; `impossible`: no set of changes helps; `stopped`: cut off before an answer.
   */
  readonly outcome: 'fixed' | 'unneeded' | 'sc' | 'impossible' | 'stopped';
  /**
   * About the patched sources, or the program itself if nothing needs to change; inconclusive: valid up to `bounds`.
   */
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  readonly bounds: readonly string[];
  /** The same bounds as data; absent if there are none. */
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
  /**
   * With `--minimise` and rc11: what each access and fence is now, and the weakest it could be (`could` null: not
   * needed).
   */
  readonly weakest?: readonly WeakestReport[];
  /** With `--minimise`: what was not examined. */
  readonly untouched?: readonly UntouchedReport[];
  /** Other sets of changes of the same cost. */
  readonly others?: readonly (readonly ChangeReport[])[];
  /** There are more such sets than are listed here. */
  readonly hasMore?: boolean;
  /** A unified diff. */
  readonly patch?: string;
  /** The patch in base64, if the files are not UTF-8. */
  readonly patchBytes?: string;
  /** The folder that the paths in the patch are relative to. */
  readonly patchFolder?: string;
  /** The result of checking the patched sources from scratch. */
  readonly proofs?: readonly { readonly model: string; readonly verdict: string; readonly executions: number }[];
  /** The files were changed. */
  readonly written?: boolean;
  /** For `impossible`: two accesses that nothing keeps in order. */
  readonly between?: OrdersReport & { readonly why: string; readonly advice: string };
  /** For `impossible`: the model of the execution that no change prevents. */
  readonly model?: string;
  /** For `sc`: what was explored, and the warnings. */
  readonly executions?: number;
  readonly blocked?: number;
  readonly blockedBy?: {
    readonly assume: number;
    readonly covered?: number;
    readonly unroll: number;
    readonly spin: number;
  };
  readonly warnings?: readonly WarningReport[];
  /** For `sc`: the failure under SC. For `impossible`: the execution that no change prevents. */
  readonly error?: ErrorReport;
  readonly trace?: TraceReport;
}

export interface ChangeReport {
  readonly kind: 'full-fence' | 'store-fence' | 'acquire-fence' | 'release' | 'acquire' | 'acquire-failure' | 'seq_cst';
  /** With several models, if rc11 is one of them: those that need the change. */
  readonly askedBy?: readonly string[];
  /** A fence goes right before this place; otherwise, this is the access whose order becomes stronger. */
  readonly place: SourcePlace | null;
  /** The statement that the fence goes right after, if no statement follows it there. */
  readonly behind?: SourcePlace;
  readonly cost: number;
  readonly orders?: OrdersReport;
}

/** In an execution, `early` takes effect before the store `late` reaches memory, which closes the cycle. */
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

/** All the data of a page of the viewer. */
import type {
  CheckInput,
  CheckReport,
  FixReport,
  HuntCycleReport,
  LitmusReport,
  MonitorReport,
  ProblemReport,
  ViolationReport,
} from './schema.ts';

export interface PageData {
  readonly report: AnyReport;
  /** The text of the files that the report quotes, by name. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The report of any command; each result has some of the fields of `check` and `litmus`. */
export interface AnyReport {
  readonly command: string;
  readonly input?: CheckInput;
  /** For `fix`: the failure of the unfixed program. */
  readonly results: readonly AnyResult[];
  readonly problems?: readonly ProblemReport[];
  readonly fixes?: readonly FixReport[];
  /** Only in reports of `monitor`. */
  readonly logs?: readonly MonitorReport[];
}

export type AnyResult = { readonly file: string; readonly model: string } & Partial<
  Omit<CheckReport & LitmusReport, 'file' | 'model'>
> & {
    /** Only in reports of `robust`. */
    readonly monitors?: readonly string[];
    readonly violations?: readonly ViolationReport[];
    /** Only in reports of `hunt`. */
    readonly cycles?: readonly HuntCycleReport[];
  };

/** What a page of the viewer is made from. */
import type {
  CheckInput,
  CheckReport,
  FixReport,
  LitmusReport,
  MonitorReport,
  ProblemReport,
  ViolationReport,
} from './schema.ts';

/** What a page is made from, and all that it knows. */
export interface PageData {
  readonly report: AnyReport;
  /** The text of the files that the report quotes, by name. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Whatever a command reports: results with some of the fields that those of `check` and `litmus` have. */
export interface AnyReport {
  readonly command: string;
  readonly input?: CheckInput;
  /** Of `fix`: the failure of the unfixed program. */
  readonly results: readonly AnyResult[];
  readonly problems?: readonly ProblemReport[];
  readonly fixes?: readonly FixReport[];
  /** Of `monitor`. */
  readonly logs?: readonly MonitorReport[];
}

export type AnyResult = { readonly file: string; readonly model: string } & Partial<
  Omit<CheckReport & LitmusReport, 'file' | 'model'>
> & {
    /** Of `robust`. */
    readonly monitors?: readonly string[];
    readonly violations?: readonly ViolationReport[];
  };

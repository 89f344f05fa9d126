/** What a page of the viewer is made from. */
import type { CheckReport, LitmusReport, ProblemReport } from './schema.ts';

/** What a page is made from, and all that it knows. */
export interface PageData {
  readonly report: AnyReport;
  /** The text of the files that the report quotes, by name. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Whatever a command reports: results with some of the fields that those of `check` and `litmus` have. */
export interface AnyReport {
  readonly command: string;
  readonly results: readonly AnyResult[];
  readonly problems?: readonly ProblemReport[];
}

export type AnyResult = { readonly file: string; readonly model: string } & Partial<
  Omit<CheckReport & LitmusReport, 'file' | 'model'>
>;

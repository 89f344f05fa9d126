/** What `fencepost serve` and the viewer say to each other, as JSON. */
import type { AnyReport } from './page-data.ts';
import type { TraceReport } from './trace-schema.ts';

/** Where requests have the token that `fencepost serve` printed: a header, or a parameter where no header can be sent. */
export const TOKEN_HEADER = 'x-fencepost-token';
export const TOKEN_PARAMETER = 'token';

export interface Listing {
  readonly folder: string;
  readonly runs: readonly RunEntry[];
  /** C files and litmus tests. */
  readonly programs: readonly string[];
  /** Not all that is there is listed. */
  readonly isCut: boolean;
}

export interface RunEntry {
  /** Of its folder. */
  readonly path: string;
  readonly title: string;
  readonly verdicts: readonly { readonly model: string; readonly verdict: string }[];
}

/** A program and how far to run it. */
export interface ExploreRequest {
  readonly file: string;
  readonly model: string;
  readonly defines: readonly string[];
  readonly schedule: string;
}

export interface ExploreState {
  readonly trace: TraceReport;
  /** The steps of the schedule, one by one. */
  readonly taken: readonly string[];
  /** What could come next. */
  readonly choices: readonly StepChoice[];
  readonly outcome: 'running' | 'complete' | 'error' | 'deadlock' | 'blocked' | 'limit';
  /** In words, if something is wrong. */
  readonly error?: string;
  readonly models: readonly string[];
  readonly sources: Readonly<Record<string, string>>;
}

export interface StepChoice {
  /** As schedules have it. */
  readonly step: string;
  readonly thread: string;
  readonly isCommit: boolean;
  readonly effect: string;
  readonly line?: number;
  readonly text?: string;
}

export interface CheckRequest {
  readonly file: string;
  readonly models: readonly string[];
  readonly defines: readonly string[];
}

export interface CheckStatus extends CheckRequest {
  readonly id: number;
  readonly state: 'running' | 'done' | 'failed';
  /** The last that was heard of it. */
  readonly progress: string;
  readonly report?: AnyReport;
  readonly exit?: number;
}

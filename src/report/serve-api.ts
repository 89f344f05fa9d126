/** The messages between `fencepost serve` and the viewer, as JSON. */
import type { AnyReport } from './page-data.ts';
import type { TraceReport } from './trace-schema.ts';

/**
 * Where requests carry the token that `fencepost serve` printed: a header or, where no header can be sent, a parameter.
 */
export const TOKEN_HEADER = 'x-fencepost-token';
export const TOKEN_PARAMETER = 'token';

export interface Listing {
  readonly folder: string;
  readonly runs: readonly RunEntry[];
  /** C and C++ files with a `main`, and litmus tests. */
  readonly programs: readonly string[];
  /** The list is incomplete. */
  readonly isCut: boolean;
}

export interface RunEntry {
  /** The path of its folder. */
  readonly path: string;
  readonly title: string;
  /** When it was written, in milliseconds since 1970. */
  readonly time: number;
  /** The command and the options that decide which program it is: `check -D FENCED`. */
  readonly command: string;
  readonly verdicts: readonly { readonly model: string; readonly verdict: string }[];
}

/** A file, as it is on disk. */
export interface SourceText {
  readonly text: string;
}

/** A program and a schedule. */
export interface ExploreRequest {
  readonly file: string;
  readonly model: string;
  readonly defines: readonly string[];
  readonly schedule: string;
}

export interface ExploreState {
  readonly trace: TraceReport;
  /** The steps taken, as in the schedule. */
  readonly taken: readonly string[];
  /** The possible next steps. */
  readonly choices: readonly StepChoice[];
  readonly outcome: 'running' | 'complete' | 'error' | 'deadlock' | 'blocked' | 'limit';
  /** The error in words, if there is one. */
  readonly error?: string;
  readonly models: readonly string[];
  readonly sources: Readonly<Record<string, string>>;
}

export interface StepChoice {
  /** As schedules write it. */
  readonly step: string;
  readonly thread: string;
  readonly isCommit: boolean;
  readonly effect: string;
  readonly line?: number;
  readonly text?: string;
}

export interface CheckRequest {
  readonly file: string;
  /** None: those that the command asks by default. */
  readonly models: readonly string[];
  readonly defines: readonly string[];
}

export interface CheckStatus extends CheckRequest {
  readonly id: number;
  readonly state: 'running' | 'done' | 'failed';
  /** The latest progress message. */
  readonly progress: string;
  readonly report?: AnyReport;
  readonly exit?: number;
}

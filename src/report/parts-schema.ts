/** What the reports of several commands have in common. */
import type { CycleEdgeReport, TraceReport } from './trace-schema.ts';

export const SCHEMA = 'fencepost/1';

export interface ProblemReport {
  readonly file: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly variable?: string;
  /** The whole line; in a litmus test, the instruction. */
  readonly text?: string;
}

export interface ErrorReport {
  readonly kind: 'assertion' | 'deadlock' | 'liveness' | 'memory' | 'misuse' | 'race' | 'uninitialised';
  readonly message: string;
  readonly thread?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where an object came from, where a lock was taken, and so on. */
  readonly notes?: readonly string[];
  readonly schedule: string;
  /** The schedule that the search found; `schedule` is then a simpler execution with the same error. */
  readonly originalSchedule?: string;
  /** Number of steps of the execution, if it is too long for a `trace`. */
  readonly steps?: number;
  /** Stable: the same error of the same program has the same value in every run. */
  readonly id?: string;
}

export interface WarningReport {
  readonly kind: 'race' | 'leak';
  readonly message: string;
  /** The two accesses of a race, or the allocation of a leak. */
  readonly places: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}

/** Each edge starts where the previous one ends; the last ends where the first starts. */
export interface CycleReport {
  readonly schedule: string;
  readonly edges: readonly CycleEdgeReport[];
  /** With `check --robust`, if there is no error: the execution that has the cycle. */
  readonly trace?: TraceReport;
}

/** The executions with exactly this many preemptions or delays. */
export interface RoundReport {
  readonly bound: 'preemptions' | 'delays';
  readonly limit: number;
  readonly executions: number;
  readonly blocked: number;
  /** With monitors: distinct violations that earlier rows do not have. */
  readonly violations?: number;
  /** With monitors: how many executions raised an alarm. */
  readonly borderline?: readonly { readonly monitor: string; readonly executions: number }[];
  readonly seconds: number;
}

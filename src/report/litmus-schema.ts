/** The report of `litmus`. */
import type { Bound } from '../explore/bound.ts';
import type { ProblemReport, SCHEMA } from './parts-schema.ts';
import type { JsonValue, TraceReport } from './trace-schema.ts';

export interface LitmusCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'litmus';
  readonly results: readonly LitmusReport[];
  /** Inputs that could not be used, each with the place if it is known. */
  readonly problems: readonly ProblemReport[];
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
  /** The same bounds as data; absent if there are none. */
  readonly boundedBy?: readonly Bound[];
  /** If `inconclusive`: the number of machine states visited. */
  readonly visitedStates?: number;
  /** With `--traces`: for each entry of `states`, an execution that ends there. */
  readonly traces?: readonly TraceReport[];
}

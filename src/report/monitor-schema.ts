/** The report of `monitor`. */
import type { Bound } from '../explore/bound.ts';
import type { ProblemReport, SCHEMA } from './parts-schema.ts';

export interface MonitorCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'monitor';
  readonly results: readonly MonitorReport[];
  readonly problems: readonly ProblemReport[];
}

export interface MonitorReport {
  readonly file: string;
  readonly monitors: readonly string[];
  /** Never verified: one execution proves nothing. */
  readonly verdict: 'violation' | 'inconclusive';
  readonly robust: false | null;
  readonly events: number;
  readonly bounds: readonly string[];
  /** The same bounds as data; absent in reports of earlier versions. */
  readonly boundedBy?: readonly Bound[];
  readonly violations: readonly {
    readonly monitor: string;
    readonly model: string;
    readonly thread: number;
    readonly writer: number;
    /** Places in the source, as in the log. */
    readonly event?: string;
    readonly write?: string;
    readonly variable?: string;
    readonly eventNumber: number;
    readonly writeNumber: number;
    readonly count: number;
    /** For the first occurrence; absent in reports of earlier versions. */
    readonly witness?: WitnessReport;
    /** Why there is no witness. */
    readonly noWitness?: string;
  }[];
}

export interface WitnessReport {
  /** Each event happens before the next, and the last before the first; `relation` leads to the next event. */
  readonly cycle: readonly (LoggedEventReport & { readonly relation: string })[];
  /**
   * An execution of the model that has this cycle, starting at the store that comes late: the events that happen before
   * the early event, then that event. A `buffered` store stays in its buffer until it `reaches memory`.
   */
  readonly execution: readonly (LoggedEventReport & { readonly step: 'at once' | 'buffered' | 'reaches memory' })[];
}

/** An event of a log. */
export interface LoggedEventReport {
  readonly number: number;
  readonly thread: number;
  /** `store flag[0]` */
  readonly effect: string;
  readonly place?: string;
}

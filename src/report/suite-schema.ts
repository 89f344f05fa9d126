/** The report of `check --suite`: many programs, with the verdicts expected of them. */
import type { CheckReport } from './check-schema.ts';
import type { ErrorReport, ProblemReport, SCHEMA } from './parts-schema.ts';

export interface SuiteCommandReport {
  readonly schema: typeof SCHEMA;
  readonly command: 'suite';
  readonly input: {
    /** The table, or the folder, that describes the suite. */
    readonly suite: string;
  };
  /** One per program and model. */
  readonly results: readonly SuiteReport[];
  readonly problems: readonly ProblemReport[];
}

export interface SuiteReport extends CheckReport {
  /** The program's own options, as the suite has them; absent if there are none. */
  readonly options?: string;
  /** Where the expectation is written. */
  readonly place: { readonly file: string; readonly line: number };
  /** `violation`: any error; a kind: an error of this kind. */
  readonly expected: 'verified' | 'violation' | ErrorReport['kind'];
  /** A search that a bound cut short neither meets an expectation nor contradicts it. */
  readonly outcome: 'as expected' | 'unexpected' | 'inconclusive';
}

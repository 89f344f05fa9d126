/** The common content of all machine-readable formats: one case per question, with its findings, for every command. */
import type { ErrorReport, ProblemReport } from '../schema.ts';
import type { TraceReport } from '../trace-schema.ts';

export type FindingKind =
  | ErrorReport['kind']
  | 'condition'
  | 'robustness'
  | 'fence'
  | 'unneeded-fence'
  | 'inconclusive';

/** `open`: the question has no answer. */
export type Level = 'error' | 'warning' | 'note' | 'open';

export interface Finding {
  readonly kind: FindingKind;
  readonly level: Level;
  /** One line. */
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly id?: string;
  readonly schedule?: string;
  readonly trace?: TraceReport;
}

/** One question and its answer. */
export interface Case {
  /** The input. */
  readonly file: string;
  readonly name: string;
  readonly model: string;
  readonly seconds?: number;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** The program already fails under SC, and the case of SC says how. */
  readonly isRepeated: boolean;
  readonly findings: readonly Finding[];
}

export const KINDS: Readonly<Record<FindingKind, string>> = {
  assertion: 'An assertion fails, or the program aborts',
  deadlock: 'Threads wait for each other forever',
  liveness: 'A thread waits in a loop for something that never happens',
  memory: 'An invalid memory access',
  misuse: 'A thread or synchronisation object is misused',
  race: 'A data race',
  uninitialised: 'Something depends on a value that was never written',
  condition: 'The condition of a litmus test fails',
  robustness: 'Store buffers allow an execution that is impossible under SC',
  fence: 'A fence or a stronger memory order is missing',
  'unneeded-fence': 'A fence is stronger than needed, or not needed at all',
  inconclusive: 'A bound was reached before the search was exhaustive',
};

export function problemText({ file, line, column, message }: ProblemReport): string {
  return `${file}${line === undefined ? '' : `:${line}:${column}`}: ${message}`;
}

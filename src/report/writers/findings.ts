/** The common content of all machine-readable formats: one finding per input and model, for every command. */
import { SC } from '../../models/sc.ts';
import type {
  CheckCommandReport,
  CheckReport,
  ErrorReport,
  LitmusCommandReport,
  LitmusReport,
  ProblemReport,
} from '../schema.ts';
import type { TraceReport } from '../trace-schema.ts';

/** The input of the reporters. */
export type Reportable = CheckCommandReport | LitmusCommandReport;

export type FindingKind = ErrorReport['kind'] | 'condition' | 'inconclusive';

export interface Finding {
  readonly kind: FindingKind;
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
  readonly seconds: number;
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
  condition: 'The condition of a litmus test fails',
  inconclusive: 'A bound was reached before the search was exhaustive',
};

export function casesOf(report: Reportable): readonly Case[] {
  switch (report.command) {
    case 'check':
      return report.results.map(checkCase);
    case 'litmus':
      return report.results.map(litmusCase);
  }
}

function checkCase(result: CheckReport): Case {
  const { file, model, verdict, seconds, error, otherErrors = [], trace, bounds } = result;
  const errors = error === undefined ? [] : [error, ...otherErrors];
  const findings = errors.map((e, i): Finding => {
    const why = i === 0 ? trace?.explanation?.[0] : undefined;
    return {
      kind: e.kind,
      message: `${e.kind}: ${e.message} (under ${model}${e.thread === undefined ? '' : `, thread ${e.thread}`})${why === undefined ? '' : `. Why: ${why}`}`,
      file: e.file ?? file.split(' ')[0]!,
      ...(e.line === undefined ? {} : { line: e.line }),
      ...(e.column === undefined || e.column === 0 ? {} : { column: e.column }),
      ...(e.id === undefined ? {} : { id: e.id }),
      schedule: e.schedule,
      ...(i === 0 && trace !== undefined ? { trace } : {}),
    };
  });
  const isRepeated = result.how === 'sc' && model !== SC.name;
  const open = verdict === 'inconclusive' ? [inconclusive(file, model, bounds)] : [];
  return { file, name: file, model, seconds, verdict, isRepeated, findings: [...findings, ...open] };
}

function litmusCase({ file, test, model, verdict, condition, seconds, bounds }: LitmusReport): Case {
  const findings: Finding[] = [];
  if (verdict === 'violation') {
    const message = `the ${condition?.kind} condition of ${test} fails under ${model}`;
    findings.push({ kind: 'condition', message, file });
  }
  if (verdict === 'inconclusive') findings.push(inconclusive(file, model, bounds));
  return { file, name: test, model, seconds, verdict, isRepeated: false, findings };
}

function inconclusive(file: string, model: string, bounds: readonly string[]): Finding {
  const message = `inconclusive under ${model}: ${bounds.join('; ')}`;
  return { kind: 'inconclusive', message, file: file.split(' ')[0]! };
}

export function problemText({ file, line, column, message }: ProblemReport): string {
  return `${file}${line === undefined ? '' : `:${line}:${column}`}: ${message}`;
}

/**
 * viewer/model/: what the viewer shows, as plain data; no DOM. It uses the data types and the text functions of
 * report/, the list of models, program/error-text.ts and util/, and nothing else.
 *
 * From a report of any command to a page: verdicts, the executions that can be viewed, the tables of litmus tests.
 */

import { SC } from '../../models/sc.ts';
import { messageText } from '../../program/error-text.ts';
import { boundsOf, isCut } from '../../report/bounds.ts';
import { NO_FAILURE } from '../../report/harm-text.ts';
import type { AnyReport, AnyResult } from '../../report/page-data.ts';
import type { ErrorReport, ProblemReport, SourcePlace, ViolationReport } from '../../report/schema.ts';
import { isAxiomatic } from '../../report/search-text.ts';
import { plural } from '../../report/text.ts';
import type { JsonValue, TraceReport } from '../../report/trace-schema.ts';
import { meaningOf } from '../../report/writers/meaning.ts';
import { asCode } from '../../util/code-text.ts';
import { cycleDetail, cycleText } from './hunt.ts';

export interface VerdictRow {
  readonly file: string;
  readonly model: string;
  readonly verdict: string;
  readonly note: string;
}

export interface Execution {
  /** From 1; identifies the execution in the page's address. */
  readonly number: number;
  readonly file: string;
  readonly model: string;
  readonly title: string;
  readonly trace: TraceReport;
  readonly error?: ErrorReport;
  /** The final state, for a litmus test. */
  readonly state?: string;
  /** In the explorer: whether nothing has failed so far. Absent in reports. */
  readonly isFineSoFar?: boolean;
  /** For `robust`: the execution has a cycle, but none of the continuations tried failed. */
  readonly isHarmless?: boolean;
}

/** What is wrong. A result's first error has an execution; the others have schedules. */
export interface Violation {
  readonly title: string;
  readonly detail: string;
  readonly model: string;
  readonly execution: number | undefined;
  readonly schedule: string | undefined;
  /** For `robust`: whether some continuation ended in an error. */
  readonly isHarmful?: boolean;
}

interface ViolationGroup {
  readonly title: string;
  /** For `hunt`: these are not failures but the cycles that led to them. */
  readonly isCycles?: true;
  readonly list: readonly Violation[];
}

/** The final states of a litmus test, by model. */
export interface Matrix {
  readonly test: string;
  readonly file: string;
  readonly models: readonly string[];
  readonly rows: readonly MatrixRow[];
  readonly condition: { readonly text: string; readonly answers: readonly string[] } | undefined;
  readonly facts: readonly { readonly name: string; readonly values: readonly string[] }[];
}

interface MatrixRow {
  readonly state: string;
  readonly satisfied: boolean;
  readonly cells: readonly MatrixCell[];
}

interface MatrixCell {
  readonly allowed: 'yes' | 'no' | 'unknown';
  /** The number of an execution that ends there. */
  readonly execution: number | undefined;
}

export interface Page {
  readonly command: string;
  readonly title: string;
  readonly verdicts: readonly VerdictRow[];
  /** What the verdicts of `check` mean together. */
  readonly meaning: string | undefined;
  readonly executions: readonly Execution[];
  readonly violations: readonly Violation[];
  /** The violations in groups, as listed; for `robust`, the harmful ones first. */
  readonly groups: readonly ViolationGroup[];
  readonly matrices: readonly Matrix[];
  readonly problems: readonly ProblemReport[];
}

export function pageOf(report: AnyReport): Page {
  const executions: Execution[] = [];
  const numbers = new Map<AnyResult, readonly number[]>();
  for (const result of report.results) numbers.set(result, addExecutions(result, report.results, executions));
  const all = [...report.results, ...(report.fixes ?? []), ...(report.logs ?? [])];
  const files = [...new Set(all.map((r) => r.file))];
  const problems = report.problems ?? [];
  const litmus = report.results.filter((r) => r.states !== undefined);
  const violations = report.results.flatMap((result) =>
    isAgain(result, report.results) ? [] : violationsOf(result, numbers.get(result)!),
  );
  return {
    command: report.command,
    title:
      files.length === 1
        ? files[0]!
        : files.length === 0
          ? (problems[0]?.file ?? report.command)
          : `${files.length} files`,
    verdicts: report.results.map(verdictRow),
    meaning: report.command === 'check' ? meaningOf(report.results) : undefined,
    executions,
    violations,
    groups: [...groupsOf(violations), ...huntedOf(report, executions)],
    matrices: [...new Set(litmus.map((r) => r.file))].map((file) =>
      matrixOf(
        litmus.filter((r) => r.file === file),
        numbers,
      ),
    ),
    problems,
  };
}

function groupsOf(violations: readonly Violation[]): readonly ViolationGroup[] {
  const group = (isHarmful: boolean | undefined, title: (count: string) => string): readonly ViolationGroup[] => {
    const list = violations.filter((v) => v.isHarmful === isHarmful);
    return list.length === 0 ? [] : [{ title: title(plural(list.length, 'violation')), list }];
  };
  return [
    ...group(undefined, (count) => count),
    ...group(true, (count) => `Harmful: ${count}`),
    ...group(false, (count) => `No failure found: ${count}`),
  ];
}

/** The confirmed cycles of `hunt`, worst first; the cycle of the failure that is shown links to it. */
function huntedOf({ results }: AnyReport, executions: readonly Execution[]): readonly ViolationGroup[] {
  const list = results.flatMap(({ model, cycles = [] }) =>
    cycles
      .filter((cycle) => cycle.confirmed > 0)
      .map((cycle): Violation => {
        const schedule = cycle.error?.schedule ?? cycle.schedule;
        const known = executions.find((e) => e.model === model && e.trace.schedule === schedule)?.number;
        return {
          title: cycleText(cycle),
          detail: cycleDetail(cycle),
          model,
          execution: known,
          schedule: known === undefined ? schedule : undefined,
        };
      }),
  );
  return list.length === 0 ? [] : [{ title: plural(list.length, 'confirmed cycle'), isCycles: true, list }];
}

function addExecutions(result: AnyResult, all: readonly AnyResult[], executions: Execution[]): readonly number[] {
  const { file, model, error, states = [] } = result;
  const add = (trace: TraceReport, title: string, more: Partial<Execution>): number => {
    const number = executions.length + 1;
    executions.push({ number, file, model, title, trace, ...more });
    return number;
  };
  if (result.traces !== undefined) {
    return result.traces.map((trace, i) => {
      const state = stateText(states[i] ?? {});
      return add(trace, `${state} under ${model}`, { state });
    });
  }
  const shown = (result.violations ?? []).map((violation) =>
    violation.trace === undefined ? -1 : add(violation.trace, violationTitle(violation), executionOf(violation)),
  );
  if (result.trace === undefined) return shown;
  const where = result.how === 'sc' ? SC.name : model;
  if (isAgain(result, all)) return [executions.find((e) => e.file === file && e.model === SC.name)?.number ?? -1];
  const title = error === undefined ? `An execution of ${where.toUpperCase()}` : `${error.kind} under ${where}`;
  const first = add(result.trace, title, { model: where, ...(error === undefined ? {} : { error }) });
  const others = (result.otherErrors ?? []).map((other) =>
    other.trace === undefined ? -1 : add(other.trace, `${other.kind} under ${model}`, { error: other }),
  );
  return [first, ...others];
}

/** Whether an earlier result has the same execution: a program that fails under SC fails under every model. */
function isAgain(result: AnyResult, all: readonly AnyResult[]): boolean {
  if (result.how !== 'sc' || result.model === SC.name) return false;
  const first = all.find(
    (r) => r.file === result.file && (r.how === 'sc' || r.model === SC.name) && r.error !== undefined,
  );
  return first !== undefined && first !== result;
}

/** For `robust`: the error or, if no failure was found, the cycle alone. */
function executionOf({ error }: ViolationReport): Partial<Execution> {
  return error === undefined ? { isHarmless: true } : { error };
}

function violationTitle({ event, write, cycle, trace }: ViolationReport): string {
  const at = (place: SourcePlace | null): string =>
    place === null ? 'an unknown location' : `${place.file.split('/').at(-1)}:${place.line}`;
  // The name that the execution uses, if there is one.
  const name = (place: SourcePlace | null): string => {
    const from = cycle.edges.find((edge) => edge.from.file === place?.file && edge.from.line === place?.line)?.from;
    const variable = trace?.events.find((e) => e.event === from?.event)?.location ?? place?.variable;
    return variable === undefined || place?.variable === undefined ? '' : ` of ${asCode(variable)}`;
  };
  const access = `The access${name(event)}`;
  const store = `the store${name(write)}`;
  return `${access} at ${at(event)} can take effect before ${store} at ${at(write)} reaches memory`;
}

function robustText(model: string, robust: boolean): string {
  if (!robust) return 'not robust';
  return isAxiomatic(model) ? 'free of races' : 'robust';
}

function verdictRow(result: AnyResult): VerdictRow {
  const { file, model, verdict, executions, blocked, how, robust, states } = result;
  const parts = [
    ...(executions === undefined
      ? []
      : [how === 'sc' && model !== SC.name ? 'as under SC' : plural(executions, 'execution')]),
    ...(blocked === undefined || blocked === 0 ? [] : [`${blocked} blocked`]),
    ...(robust === undefined || robust === null ? [] : [robustText(model, robust)]),
    ...(states === undefined ? [] : [plural(states.length, 'final state')]),
    ...boundsOf(result).map((bound) => (isCut(bound) ? `stopped: ${bound.text}` : bound.text)),
  ];
  return { file, model, verdict: verdict ?? 'unknown', note: parts.join(' · ') };
}

/** In reports of earlier versions, only the first error has an execution. */
function hasExecution(number: number | undefined): boolean {
  return number !== undefined && number > 0;
}

function violationsOf(result: AnyResult, numbers: readonly number[]): readonly Violation[] {
  const { error, otherErrors = [], model, file, verdict, condition, traces } = result;
  const reordered = (result.violations ?? []).map((violation, i): Violation => {
    const { error, cycle } = violation;
    const hasTrace = hasExecution(numbers[i]);
    return {
      title: violationTitle(violation),
      detail: error === undefined ? NO_FAILURE : `harmful: ${error.kind}: ${messageText(error)}`,
      model,
      execution: hasTrace ? numbers[i] : undefined,
      schedule: hasTrace ? undefined : (error ?? cycle).schedule,
      isHarmful: error !== undefined,
    };
  });
  if (reordered.length > 0) return reordered;
  const own = [...(error === undefined ? [] : [error]), ...otherErrors].map((e, i): Violation => {
    const where = e.file === undefined ? '' : `${e.file}:${e.line}`;
    const thread = e.thread === undefined ? '' : `thread ${e.thread}`;
    return {
      title: `${e.kind}: ${messageText(e)}`,
      detail: [thread, where].filter((t) => t !== '').join(' at '),
      model: result.how === 'sc' ? SC.name : model,
      execution: hasExecution(numbers[i]) ? numbers[i] : undefined,
      schedule: hasExecution(numbers[i]) ? undefined : e.schedule,
    };
  });
  if (own.length > 0 || verdict !== 'violation' || condition === undefined || condition === null) return own;
  const guilty = condition.satisfied?.indexOf(condition.kind === '~exists') ?? -1;
  const title = condition.text ?? `the ${condition.kind} condition`;
  const execution = traces === undefined || guilty < 0 ? undefined : numbers[guilty];
  return [{ title: `does not hold: ${title}`, detail: file, model, execution, schedule: undefined }];
}

function stateText(state: Readonly<Record<string, JsonValue>>): string {
  const parts = Object.entries(state).map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? '(nothing observed)' : parts.join('  ');
}

function matrixOf(results: readonly AnyResult[], numbers: ReadonlyMap<AnyResult, readonly number[]>): Matrix {
  const first = results[0]!;
  // In the order of the model with the most states, which usually has all of them.
  const ordered = [...results].sort((a, b) => b.states!.length - a.states!.length);
  const states = [...new Set(ordered.flatMap((r) => r.states!.map(stateText)))];
  const isCut = (r: AnyResult): boolean => (r.bounds ?? []).length > 0;
  const rows = states.map((state): MatrixRow => {
    const places = results.map((r) => r.states!.findIndex((s) => stateText(s) === state));
    return {
      state,
      satisfied: results.some((r, i) => r.condition?.satisfied?.[places[i]!] === true),
      cells: results.map((r, i) => ({
        allowed: places[i]! >= 0 ? 'yes' : isCut(r) ? 'unknown' : 'no',
        execution: places[i]! >= 0 ? numbers.get(r)![places[i]!] : undefined,
      })),
    };
  });
  const answer = (value: boolean | null | undefined): string =>
    value === undefined || value === null ? '?' : value ? 'yes' : 'no';
  const { condition } = first;
  return {
    test: first.test ?? first.file,
    file: first.file,
    models: results.map((r) => r.model),
    rows,
    condition:
      condition === undefined || condition === null
        ? undefined
        : { text: condition.text ?? condition.kind, answers: results.map((r) => answer(r.condition?.holds)) },
    facts: [
      { name: 'executions', values: results.map((r) => `${isCut(r) ? '≥ ' : ''}${r.executions ?? '?'}`) },
      { name: 'robust', values: results.map((r) => answer(r.robust)) },
    ],
  };
}

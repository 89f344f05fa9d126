/** The text output of `fencepost litmus` for one test: a table. */
import { unreachable } from '../../util/unreachable.ts';
import type { LitmusReport } from '../schema.ts';
import { alignColumns, plural, printable, shorten } from '../text.ts';
import type { JsonValue, TraceReport } from '../trace-schema.ts';

/** Longer names and conditions are cut; `--json` has them in full. */
const MAX_TEXT = 160;

type FinalState = Readonly<Record<string, JsonValue>>;

interface Row {
  readonly state: FinalState;
  readonly satisfies: boolean;
  /** For each result: whether it has the state. */
  readonly allowed: boolean[];
}

function stateKey(state: FinalState): string {
  return Object.values(state).map(String).join(',');
}

function printState(state: FinalState): string {
  const values = Object.entries(state);
  return values.length === 0 ? '(nothing observed)' : values.map(([label, v]) => `${label}=${v}`).join('  ');
}

/**
 * The table of one test: final states by model, the condition's answer, executions, robustness; then the traces, if
 * any.
 */
export function printLitmus(results: readonly LitmusReport[], { traces }: { readonly traces: boolean }): string {
  const { test, file, condition } = results[0]!;
  const states = mergedStates(results);
  const rows: string[][] = [['', ...results.map((r) => r.model)]];
  for (const { state, satisfies, allowed } of states) {
    rows.push([
      `${satisfies ? '*' : ' '} ${printState(state)}`,
      ...allowed.map((a, column) => (a ? 'yes' : isCut(results[column]!) ? '?' : '-')),
    ]);
  }
  if (condition !== null) {
    const text = shorten(printable(condition.text ?? ''), MAX_TEXT);
    rows.push([`  ${text}`, ...results.map((r) => printHolds(r))]);
  }
  rows.push(['  executions', ...results.map((r) => `${isCut(r) ? '≥ ' : ''}${r.executions}`)]);
  if (results.some((r) => r.blocked > 0)) rows.push(['  blocked', ...results.map((r) => String(r.blocked))]);
  rows.push(['  robust', ...results.map((r) => (r.robust === null ? '?' : r.robust ? 'yes' : 'no'))]);

  const lines = [`${shorten(printable(test), MAX_TEXT)}  (${printable(file)})`, ...alignColumns(rows)];
  for (const result of results) lines.push(...printVerdictNote(result));
  if (traces) for (const row of states) lines.push(...printExample(row, results));
  return lines.join('\n');
}

/** An execution that ends in the state, of the first model that has it. */
function printExample({ state, allowed }: Row, results: readonly LitmusReport[]): string[] {
  const { model, states, traces = [] } = results[allowed.indexOf(true)]!;
  const trace = traces[states.findIndex((s) => stateKey(s) === stateKey(state))];
  if (trace === undefined) return [];
  return [
    '',
    `  ${printState(state)}, for example under ${model}:`,
    ...printTrace(trace).map((line) => `    ${printable(line)}`),
    `    schedule: ${trace.schedule}`,
  ];
}

/** The rows of a trace, aligned: the instruction, its effect, and the buffered stores afterwards. */
function printTrace(trace: TraceReport): string[] {
  const digits = String(trace.events.length).length;
  const rows = trace.events.map(({ thread, kind, text, effect, buffers }, i) => [
    String(i + 1).padStart(digits),
    thread,
    kind === 'update' ? '(commit)' : (text ?? kind),
    effect,
    buffers === '' ? '' : `[${buffers}]`,
  ]);
  return alignColumns(rows);
}

/** Whether the search was cut short, so that states it did not find may exist. */
function isCut(result: LitmusReport): boolean {
  return result.bounds.length > 0;
}

function printHolds(result: LitmusReport): string {
  const holds = result.condition?.holds ?? null;
  return holds === null ? '?' : holds ? 'yes' : 'no';
}

function printVerdictNote({ verdict, model, condition, bounds, visitedStates = 0 }: LitmusReport): string[] {
  switch (verdict) {
    case 'verified':
      return [];
    case 'violation':
      return [`  violation: the ${condition!.kind} condition fails under ${model}`];
    case 'inconclusive':
      return [`  inconclusive under ${model}: stopped (${bounds.join('; ')}) after ${plural(visitedStates, 'state')}`];
    default:
      return unreachable(verdict);
  }
}

function mergedStates(results: readonly LitmusReport[]): readonly Row[] {
  const merged = new Map<string, Row>();
  results.forEach(({ states, condition }, column) => {
    for (const [i, state] of states.entries()) {
      const key = stateKey(state);
      const satisfies = condition?.satisfied?.[i] === true;
      const row = merged.get(key) ?? { state, satisfies, allowed: results.map(() => false) };
      row.allowed[column] = true;
      merged.set(key, row);
    }
  });
  // In the order of the model with the most states, usually the weakest one; states that only other models have follow.
  const order = new Map<string, number>();
  for (const result of [...results].sort((a, b) => b.states.length - a.states.length)) {
    for (const state of result.states) if (!order.has(stateKey(state))) order.set(stateKey(state), order.size);
  }
  return [...merged.entries()].sort(([a], [b]) => order.get(a)! - order.get(b)!).map(([, row]) => row);
}

interface SummaryCounts {
  readonly tests: number;
  readonly problems: number;
}

/** The last line: how many conditions hold under each model, and how many have no answer. */
export function printSummary(results: readonly LitmusReport[], counts: SummaryCounts): string {
  const models = [...new Set(results.map((r) => r.model))];
  const asked = results.filter((r) => r.condition !== null);
  const perModel = models.map((model) => {
    const own = asked.filter((r) => r.model === model);
    return `${model} ${own.filter((r) => r.condition?.holds === true).length} of ${own.length}`;
  });
  const count = (kind: string): number => results.filter((r) => r.verdict === kind).length;
  const parts = [plural(counts.tests, 'test')];
  if (asked.length > 0) parts.push(`condition holds: ${perModel.join(', ')}`);
  if (count('violation') > 0) parts.push(plural(count('violation'), 'violation'));
  if (count('inconclusive') > 0) parts.push(`${count('inconclusive')} inconclusive`);
  if (counts.problems > 0) parts.push(`${plural(counts.problems, 'file')} unreadable or invalid`);
  return parts.join('; ');
}

/** What `fencepost litmus` says about a test: a table for people, an entry of the report for programs. */
import type { StateValue } from '../../frontend/litmus/condition.ts';
import type { LitmusTest } from '../../frontend/litmus/litmus.ts';
import { Machine } from '../../machine/machine.ts';
import type { FinalState, LitmusResult } from '../../pipelines/litmus.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { LitmusReport } from '../schema.ts';
import { printTrace, traceExecution } from '../story/execution.ts';
import { alignColumns, plural, printable, shorten } from '../text.ts';
import type { JsonValue } from '../trace-schema.ts';

/** Names and conditions longer than this are cut; `--json` has them whole. */
const MAX_TEXT = 160;

function stateKey(state: FinalState): string {
  return state.values.map(String).join(',');
}

function printState(test: LitmusTest, state: FinalState): string {
  if (test.observed.length === 0) return '(nothing observed)';
  return test.observed.map(({ label }, i) => `${label}=${state.values[i]}`).join('  ');
}

/** The table of one test: final states by model, the condition's answer, executions, robustness. */
export function printLitmus(results: readonly LitmusResult[], options: { traces: boolean }): string {
  const { test } = results[0]!;
  const states = mergedStates(results);
  const rows: string[][] = [['', ...results.map((r) => r.model)]];
  for (const { state, allowed } of states) {
    const mark = state.satisfies === true ? '*' : ' ';
    rows.push([
      `${mark} ${printState(test, state)}`,
      ...allowed.map((a, column) => (a ? 'yes' : isCut(results[column]!) ? '?' : '-')),
    ]);
  }
  if (test.condition !== undefined) {
    const text = shorten(printable(test.condition.text.replace(/\s+/g, ' ')), MAX_TEXT);
    rows.push([`  ${text}`, ...results.map((r) => printHolds(r))]);
  }
  rows.push(['  executions', ...results.map((r) => `${isCut(r) ? '≥ ' : ''}${r.executions}`)]);
  if (results.some((r) => r.blocked > 0)) rows.push(['  blocked', ...results.map((r) => String(r.blocked))]);
  rows.push(['  robust', ...results.map((r) => (r.robust === null ? '?' : r.robust ? 'yes' : 'no'))]);

  const lines = [`${shorten(printable(test.name), MAX_TEXT)}  (${printable(test.file)})`, ...alignColumns(rows)];
  for (const result of results) lines.push(...printVerdictNote(result));
  if (options.traces) {
    for (const { state, allowed } of states) {
      const result = results[allowed.indexOf(true)]!;
      const own = result.states.find((s) => stateKey(s) === stateKey(state))!;
      const trace = traceExecution(new Machine(test.program, result.model), own.schedule);
      lines.push('', `  ${printState(test, state)}, for example under ${result.model}:`);
      lines.push(...printTrace(trace).map((line) => `    ${printable(line)}`));
      lines.push(`    schedule: ${trace.schedule}`);
    }
  }
  return lines.join('\n');
}

/** Something was left out: what was not seen may exist all the same. */
function isCut(result: LitmusResult): boolean {
  return result.bounds.length > 0;
}

function printHolds(result: LitmusResult): string {
  const { holds } = result;
  return holds === undefined || holds === null ? '?' : holds ? 'yes' : 'no';
}

function printVerdictNote({ verdict, model, test, visitedStates }: LitmusResult): string[] {
  switch (verdict.kind) {
    case 'verified':
      return [];
    case 'violation':
      return [`  violation: the ${test.condition!.quantifier} condition fails under ${model}`];
    case 'inconclusive':
      return [
        `  inconclusive under ${model}: stopped (${verdict.because.join('; ')}) after ${plural(visitedStates, 'state')}`,
      ];
    default:
      return unreachable(verdict);
  }
}

function mergedStates(results: readonly LitmusResult[]): { state: FinalState; allowed: boolean[] }[] {
  const merged = new Map<string, { state: FinalState; allowed: boolean[] }>();
  results.forEach((result, column) => {
    for (const state of result.states) {
      const key = stateKey(state);
      const row = merged.get(key) ?? { state, allowed: results.map(() => false) };
      row.allowed[column] = true;
      merged.set(key, row);
    }
  });
  // In the order of the weakest model listed, which usually has them all; the rest after it.
  const order = new Map<string, number>();
  for (const result of [...results].sort((a, b) => b.states.length - a.states.length)) {
    for (const state of result.states) if (!order.has(stateKey(state))) order.set(stateKey(state), order.size);
  }
  return [...merged.entries()].sort(([a], [b]) => order.get(a)! - order.get(b)!).map(([, row]) => row);
}

export interface SummaryCounts {
  readonly tests: number;
  readonly problems: number;
}

/** The last line: how many conditions hold per model, and what was not answered. */
export function printSummary(results: readonly LitmusResult[], counts: SummaryCounts): string {
  const models = [...new Set(results.map((r) => r.model))];
  const asked = results.filter((r) => r.holds !== undefined);
  const perModel = models.map((model) => {
    const own = asked.filter((r) => r.model === model);
    return `${model} ${own.filter((r) => r.holds === true).length} of ${own.length}`;
  });
  const count = (kind: string): number => results.filter((r) => r.verdict.kind === kind).length;
  const parts = [plural(counts.tests, 'test')];
  if (asked.length > 0) parts.push(`condition holds: ${perModel.join(', ')}`);
  if (count('violation') > 0) parts.push(plural(count('violation'), 'violation'));
  if (count('inconclusive') > 0) parts.push(`${count('inconclusive')} inconclusive`);
  if (counts.problems > 0) parts.push(`${plural(counts.problems, 'file')} not read or not understood`);
  return parts.join('; ');
}

export function reportLitmus(result: LitmusResult, seconds: number, options: { traces: boolean }): LitmusReport {
  const { test } = result;
  const names = test.observed.map((o) => o.label);
  return {
    file: test.file,
    test: test.name,
    model: result.model,
    verdict: result.verdict.kind,
    states: result.states.map((s) => Object.fromEntries(s.values.map((v, i) => [names[i]!, jsonValue(v)]))),
    condition: reportCondition(result),
    executions: result.executions,
    blocked: result.blocked,
    robust: result.robust,
    seconds: Math.round(seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(options.traces
      ? { traces: result.states.map((s) => traceExecution(new Machine(test.program, result.model), s.schedule)) }
      : {}),
  };
}

function reportCondition({ test: { condition }, holds = null, states }: LitmusResult): LitmusReport['condition'] {
  if (condition === undefined) return null;
  const text = condition.text.replace(/\s+/g, ' ');
  return { kind: condition.quantifier, holds, text, satisfied: states.map((s) => s.satisfies === true) };
}

function jsonValue(value: StateValue): JsonValue {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** What `fencepost check` says: a verdict per model, and the failing execution line by line. */

import type { ModelResult } from '../check.ts';
import type { BlockedCounts, FoundError } from '../explore/explore.ts';
import type { EventDescription } from '../machine/describe.ts';
import { printError } from '../machine/error.ts';
import { Machine } from '../machine/machine.ts';
import type { Model } from '../machine/memory/memory.ts';
import type { Program } from '../program/ir.ts';
import type { CycleDescription } from '../robustness.ts';
import { unreachable } from '../util/unreachable.ts';
import { traceExecution } from './execution.ts';
import type { CheckReport, CycleReport, EventPlace, EventReport, TraceReport } from './schema.ts';
import { alignColumns, plural, printable, shorten } from './text.ts';

/** The lines of the user's files, to be quoted; `undefined` where a file or line cannot be had. */
export type SourceLines = (file: string, line: number) => string | undefined;

export function printCheck(
  file: string,
  program: Program,
  results: readonly ModelResult[],
  source: SourceLines,
): string {
  const lines: string[] = [];
  for (const result of results) {
    lines.push(`${printable(file)} under ${result.model}: ${printVerdict(result)}`);
    if (result.how === 'sc') continue;
    for (const found of result.errors) lines.push(...printFailure(program, result.model, found, source));
    lines.push(...printRobustness(result));
  }
  return lines.join('\n');
}

function printVerdict({ verdict, how, executions, blocked, blockedBy, bounds }: ModelResult): string {
  const counts = `${plural(executions, 'execution')}${blocked > 0 ? `, ${blocked} blocked${printCauses(blockedBy)}` : ''}`;
  switch (verdict.kind) {
    case 'verified':
      return `verified (${counts})`;
    case 'violation':
      return how === 'sc' ? 'violation, as under sc' : `violation (after ${counts})`;
    case 'inconclusive':
      return `inconclusive: no error in ${counts}, but stopped (${bounds.join('; ')})`;
    default:
      return unreachable(verdict);
  }
}

function printCauses({ assume, unroll, spin }: BlockedCounts): string {
  const causes = [
    ...(spin > 0 ? [`${spin} waiting in a loop`] : []),
    ...(assume > 0 ? [`${assume} by an assumption`] : []),
    ...(unroll > 0 ? [`${unroll} by the bound on loops`] : []),
  ];
  return causes.length === 0 ? '' : `: ${causes.join(', ')}`;
}

export function printFailure(program: Program, model: Model, found: FoundError, source: SourceLines): string[] {
  const machine = new Machine(program, model);
  const trace = traceExecution(machine, found.schedule);
  return [
    `  ${printable(printError(found.error))}`,
    ...(found.error.notes ?? []).map((note) => `    ${printable(note)}`),
    '',
    ...printEvents(trace, source).map((line) => `  ${line}`.trimEnd()),
    '',
    `  schedule: ${trace.schedule}`,
    ...printOutput(trace),
    '',
  ];
}

function printRobustness({ robust, beyondSc, cycle, executions, blocked, cutsIdleLoops }: ModelResult): string[] {
  if (beyondSc === undefined || robust === null) return [];
  const cut = cutsIdleLoops ? ' (iterations that only wait left out; --no-spin counts them)' : '';
  if (cycle === undefined) return [`  robust: every execution is one of SC${cut}`];
  const count = `${beyondSc} of ${plural(executions + blocked, 'execution')} ${beyondSc === 1 ? 'is' : 'are'} not one of SC`;
  const rows = cycle.edges.map(({ from, relation }) => {
    const where = from.source === undefined ? '' : `${from.source.file.split('/').at(-1)}:${from.source.line}`;
    return [from.name, where, from.effect, `→ ${relation}`];
  });
  return [
    `  not robust: ${count}; in this one, each event comes before the next, and the last before the first:`,
    '',
    ...alignColumns(rows.map((row) => row.map(printable))).map((line) => `    ${line}`.trimEnd()),
    '',
    `    schedule: ${cycle.schedule}`,
    '',
  ];
}

const MAX_SOURCE = 40;

export function printEvents(trace: TraceReport, source: SourceLines): string[] {
  const rows = [['#', 'thread', 'where', 'source', 'effect', 'store buffers afterwards']];
  for (const [i, event] of trace.events.entries()) {
    rows.push([
      String(i + 1),
      event.thread,
      event.line === undefined ? '' : `${shortFile(event)}:${event.line}`,
      event.kind === 'update' ? '(commit)' : sourceText(event, source),
      event.effect,
      event.buffers === '' ? '' : `[${event.buffers}]`,
    ]);
  }
  return alignColumns(rows.map((row) => row.map(printable)));
}

function shortFile(event: EventReport): string {
  return event.file?.split('/').at(-1) ?? '';
}

function sourceText(event: EventReport, source: SourceLines): string {
  const line = event.file === undefined || event.line === undefined ? undefined : source(event.file, event.line);
  const text = (line ?? event.text ?? event.kind).trim();
  return shorten(text, MAX_SOURCE);
}

function printOutput({ output }: TraceReport): string[] {
  if (output === '') return [];
  return [
    '  output:',
    ...output
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `    ${printable(line)}`),
  ];
}

export function reportCheck(file: string, program: Program, result: ModelResult): CheckReport {
  const [found] = result.errors;
  return {
    file,
    model: result.model,
    verdict: result.verdict.kind,
    how: result.how,
    executions: result.executions,
    blocked: result.blocked,
    ...(result.blocked > 0 ? { blockedBy: result.blockedBy } : {}),
    ...(result.cutsIdleLoops ? { cutsIdleLoops: true } : {}),
    robust: result.robust,
    ...(result.beyondSc === undefined ? {} : { beyondSc: result.beyondSc }),
    ...(result.cycle === undefined ? {} : { cycle: reportCycle(result.cycle) }),
    seconds: Math.round(result.seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(found === undefined
      ? {}
      : {
          error: { ...found.error, schedule: found.schedule },
          trace: traceExecution(new Machine(program, result.how === 'sc' ? 'sc' : result.model), found.schedule),
        }),
    ...(result.errors.length > 1
      ? { otherErrors: result.errors.slice(1).map(({ error, schedule }) => ({ ...error, schedule })) }
      : {}),
  };
}

function reportCycle({ schedule, edges }: CycleDescription): CycleReport {
  const place = ({ name, thread, effect, source }: EventDescription): EventPlace => ({
    event: name,
    thread,
    effect,
    ...(source === undefined ? {} : { file: source.file, line: source.line }),
  });
  return { schedule, edges: edges.map(({ from, relation, to }) => ({ from: place(from), relation, to: place(to) })) };
}

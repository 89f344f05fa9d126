/** What `fencepost hunt` says: what was tried, what failed, and the cycles, the worst first. */

import { printBound } from '../../explore/bound.ts';
import type { Machine } from '../../machine/machine.ts';
import type { CyclePlace, CycleResult, HuntResult } from '../../pipelines/hunt/result.ts';
import type { Program } from '../../program/ir.ts';
import type { HuntCycleReport, HuntReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import { traceExecution } from '../story/execution.ts';
import { alignColumns, plural, printable } from '../text.ts';
import { DEFAULT_PRINT, type PrintOptions, printFailure, printHeadline, reportError, traceFailure } from './check.ts';
import { printStory, wrap } from './columns.ts';

/** Cycles in the table; the others are in the JSON document. */
const MAX_ROWS = 20;

export function printHunt(
  file: string,
  program: Program,
  results: readonly HuntResult[],
  source: SourceLines,
  options: PrintOptions = DEFAULT_PRINT,
): string {
  const lines: string[] = [];
  for (const [i, result] of results.entries()) {
    lines.push(printHeadline(file, result.model, printVerdict(result), options));
    // One that SC has already looks the same under every model.
    if (result.how === 'sc' && i > 0) continue;
    const [found] = result.errors;
    if (found !== undefined) {
      lines.push(...printFailure(program, result.how === 'sc' ? 'sc' : result.model, found, source, options));
      if (result.errors.length > 1) lines.push(`  and ${plural(result.errors.length - 1, 'other error')}`, '');
    }
    lines.push(...printCycles(result.cycles, options));
  }
  return lines.join('\n');
}

function printVerdict(result: HuntResult): string {
  const { how, verdict, cycles, runs, predicted, executions } = result;
  if (how === 'sc') return `violation under sc already (${plural(runs, 'SC run')})`;
  const { confirmed, harmful } = countsOf(result);
  const counts =
    `${plural(predicted, 'cycle')} predicted from ${plural(runs, 'SC run')}, ${cycles.length} possible under ` +
    `${result.model}, ${confirmed} confirmed, ${harmful} harmful; ${plural(executions, 'execution')}`;
  if (verdict.kind === 'violation') return `violation (${counts})`;
  return `inconclusive: no error found, which proves nothing (${[counts, ...cutsOf(result)].join('; ')})`;
}

/** The bounds beyond the numbers of runs and trials, which are always there. */
function cutsOf({ boundedBy }: HuntResult): readonly string[] {
  return boundedBy.filter(({ kind }) => kind !== 'sc runs' && kind !== 'trials').map(printBound);
}

function countsOf({ cycles }: HuntResult): { confirmed: number; harmful: number } {
  return {
    confirmed: cycles.filter((c) => c.confirmed > 0).length,
    harmful: cycles.filter((c) => c.harmful > 0).length,
  };
}

function verdictOf({ confirmed, harmful }: CycleResult): HuntCycleReport['verdict'] {
  return harmful > 0 ? 'harmful' : confirmed > 0 ? 'benign so far' : 'not confirmed';
}

function printCycles(cycles: readonly CycleResult[], { width }: PrintOptions): string[] {
  const confirmed = cycles.filter((c) => c.confirmed > 0);
  if (confirmed.length === 0) return [];
  const heads = [
    ['#', '', 'confirmed', 'probability', ''],
    ...confirmed.slice(0, MAX_ROWS).map((cycle, i) => {
      const ratio = (cycle.confirmed / cycle.trials).toFixed(2);
      return [String(i + 1), verdictOf(cycle), `${cycle.confirmed} of ${cycle.trials}`, ratio, ''];
    }),
  ];
  // A mark at the end, so that all are padded.
  const aligned = alignColumns(heads.map((row) => [...row.slice(0, -1), '|'])).map((line) => `  ${line.slice(0, -1)}`);
  const indent = ' '.repeat(aligned[0]!.length);
  const room = width - indent.length;
  const texts = [
    ['cycle (→ program order, ⇢ race)'],
    ...confirmed
      .slice(0, MAX_ROWS)
      .map((cycle) => [
        ...wrap(printable(printCycle(cycle)), room, '  '),
        ...wrap(`schedule: ${cycle.error?.schedule ?? cycle.schedule!}`, room, '  '),
      ]),
  ];
  const rest = confirmed.length - MAX_ROWS;
  return [
    ...texts.flatMap((lines, i) => lines.map((line, k) => (k === 0 ? aligned[i]! : indent) + line)),
    ...(rest > 0 ? [`  and ${plural(rest, 'other confirmed cycle')} (--json has them all)`] : []),
    '',
  ];
}

/** With the file once, if all of it is in one. Where one event is all that a thread has in the cycle, it is there once. */
function printCycle({ places, events }: CycleResult): string {
  const files = new Set(places.map(({ location }) => location?.file.split('/').at(-1) ?? ''));
  const isOneFile = files.size === 1;
  const parts = places.flatMap((place, i) => {
    const isSame = i % 2 === 0 && events !== undefined && events[i] === events[i + 1];
    return isSame ? [] : [`${printPlace(place, isOneFile)} ${i % 2 === 0 ? '→' : '⇢'}`];
  });
  return `${isOneFile ? `${[...files][0]}: ` : ''}${parts.join(' ')}`;
}

function printPlace({ access, location }: CyclePlace, isOneFile: boolean): string {
  if (location === undefined) return access;
  const file = isOneFile ? '' : `${location.file.split('/').at(-1)}:`;
  const variable = location.variable === undefined ? '' : ` ${location.variable}`;
  return `${file}${location.line} ${access}${variable}`;
}

/** An execution that has a cycle, line by line, with the cycle's events behind it. */
export function printShownCycle(
  file: string,
  machine: Machine,
  schedule: string,
  events: readonly string[],
  source: SourceLines,
  { width, style }: PrintOptions = DEFAULT_PRINT,
): string {
  const trace = traceExecution(machine, schedule, source);
  // One that is all that its thread has in the cycle is named twice.
  const once = events.filter((name, i) => name !== events[(i + 1) % events.length]);
  const steps = once.map((name) => trace.events.findIndex((e) => e.event === name && e.kind !== 'update') + 1);
  const threadOf = (name: string): string => name.split('#')[0]!;
  const parts = steps.map((step, i) => {
    const isInThread = threadOf(once[i]!) === threadOf(once[(i + 1) % once.length]!);
    return `${step} ${isInThread ? '→' : '⇢'}`;
  });
  const cycle = `cycle: ${parts.join(' ')} ${steps[0]} (→ before in its thread, ⇢ before at its location)`;
  return [
    ...wrap(`${printable(file)} under ${machine.model}: an execution that SC has not got`, width, '  '),
    '',
    ...printStory(trace, { width: width - 2, style }).map((line) => `  ${line}`.trimEnd()),
    '',
    ...[cycle, `schedule: ${schedule}`].flatMap((text) => wrap(text, width - 2, '  ')).map((line) => `  ${line}`),
  ].join('\n');
}

export function reportHunt(file: string, program: Program, result: HuntResult, source?: SourceLines): HuntReport {
  const [found, ...others] = result.errors;
  const model = result.how === 'sc' ? 'sc' : result.model;
  const trace = found === undefined ? undefined : traceFailure(program, model, found, source);
  return {
    file,
    model: result.model,
    verdict: result.verdict.kind === 'violation' ? 'violation' : 'inconclusive',
    how: result.how,
    runs: result.runs,
    predicted: result.predicted,
    possible: result.cycles.length,
    ...countsOf(result),
    executions: result.executions,
    seconds: Math.round(result.seconds * 1000) / 1000,
    bounds: result.bounds,
    cycles: result.cycles.map(reportCycle),
    ...(found === undefined ? {} : { error: reportError(file, model, found) }),
    ...(trace === undefined ? {} : { trace }),
    ...(others.length > 0 ? { otherErrors: others.map((other) => reportError(file, model, other)) } : {}),
  };
}

function reportCycle(cycle: CycleResult): HuntCycleReport {
  const { trials, executions, confirmed, harmful, schedule, events, error } = cycle;
  return {
    places: cycle.places.map(({ access, location }) => ({
      access,
      ...(location === undefined ? {} : { file: location.file, line: location.line, column: location.column }),
      ...(location?.variable === undefined ? {} : { variable: location.variable }),
    })),
    verdict: verdictOf(cycle),
    trials,
    executions,
    confirmed,
    harmful,
    probability: trials === 0 ? 0 : Math.round((1000 * confirmed) / trials) / 1000,
    ...(schedule === undefined ? {} : { schedule }),
    ...(events === undefined ? {} : { events }),
    ...(error === undefined ? {} : { error: { ...error.error, schedule: error.schedule } }),
  };
}

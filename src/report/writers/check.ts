/** What `fencepost check` says: a verdict per model, and the failing execution line by line. */

import { type Bound, printBound } from '../../explore/bound.ts';
import type { BlockedCounts, FoundError } from '../../explore/explore.ts';
import { printError } from '../../machine/code/error.ts';
import type { EventDescription } from '../../machine/describe/describe.ts';
import { Machine } from '../../machine/machine.ts';
import type { Model } from '../../machine/memory/memory.ts';
import type { StrategyName } from '../../options/search.ts';
import type { ModelResult } from '../../pipelines/check.ts';
import { cutsOf, isVacuous } from '../../pipelines/result.ts';
import type { CycleDescription } from '../../pipelines/robustness.ts';
import { replayOptions } from '../../pipelines/shrink.ts';
import type { Program } from '../../program/ir.ts';
import { findRace } from '../../trace/race.ts';
import { unreachable } from '../../util/unreachable.ts';
import { errorId } from '../ids.ts';
import type { CheckReport, CycleReport, ErrorReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import { blockText } from '../story/blocks.ts';
import { tooLongToShow, traceExecution } from '../story/execution.ts';
import { PLAIN, type Style } from '../style.ts';
import { alignColumns, plural, printable } from '../text.ts';
import type { EventPlace, TraceReport } from '../trace-schema.ts';
import { printStory, wrap } from './columns.ts';

export interface PrintOptions {
  /** Of the terminal, in characters. */
  readonly width: number;
  readonly style: Style;
}

export const DEFAULT_PRINT: PrintOptions = { width: 100, style: PLAIN };

export function printCheck(
  file: string,
  program: Program,
  results: readonly ModelResult[],
  source: SourceLines,
  options: PrintOptions = DEFAULT_PRINT,
): string {
  const lines: string[] = [];
  let showsSc = false;
  for (const result of results) {
    lines.push(printHeadline(file, result.model, printVerdict(result), options));
    const isOfSc = result.model === 'sc' || result.how === 'sc';
    if (isOfSc && showsSc) continue;
    showsSc ||= isOfSc;
    for (const found of result.errors)
      lines.push(...printFailure(program, result.how === 'sc' ? 'sc' : result.model, found, source, options));
    lines.push(...printRobustness(program, result, source, options));
  }
  return [...lines, ...printWarnings(results, options)].join('\n');
}

/** `file under tso: verified (…)`, in the width there is, with the verdict, the first word of the text, in its colour. */
export function printHeadline(
  file: string,
  model: string,
  text: string,
  { width, style: { good, bad, note } }: PrintOptions = DEFAULT_PRINT,
): string {
  const before = `${printable(file)} under ${model}: `;
  const whole = wrap(before + printable(text), width, '  ').join('\n');
  const verdict = /^[a-z]+/.exec(text)![0];
  // Breaking lines makes what is before it longer, never shorter.
  const at = whole.indexOf(verdict, before.length);
  const paint = verdict === 'violation' ? bad : verdict === 'inconclusive' ? note : good;
  return at < 0 ? whole : whole.slice(0, at) + paint(verdict) + whole.slice(at + verdict.length);
}

/** What the verdicts rest on, once for all models. */
export function printTrust(
  strategy: StrategyName,
  results: readonly ModelResult[],
  { width }: PrintOptions = DEFAULT_PRINT,
  keepGoing = false,
): string {
  const isCut = results.some((r) => cutsOf(r.boundedBy).length > 0);
  const text = `Rests on: strategy ${strategy}${isCut ? ', stopped early' : ', no bounds'}; the machines of docs/models.md; the code that clang makes without optimising.`;
  const hidden =
    'An execution ends at its first error, so the lists of errors, that of sc too, need not be complete: what only comes ' +
    'after another error is not in them.';
  const isList = keepGoing && results.some((r) => r.errors.length > 0);
  return [text, ...(isList ? [hidden] : [])].flatMap((t) => wrap(t, width, '  ')).join('\n');
}

function printVerdict({ verdict, how, executions, blocked, blockedBy, boundedBy }: ModelResult): string {
  const counts = `${plural(executions, 'execution')}${blocked > 0 ? `, ${blocked} blocked${printCauses(blockedBy)}` : ''}`;
  switch (verdict.kind) {
    case 'verified':
      return how === 'robust'
        ? `verified: robust, so its executions are those of sc (${counts})`
        : `verified (${counts})`;
    case 'violation':
      return how === 'sc' ? 'violation, as under sc' : `violation (after ${counts})`;
    case 'inconclusive':
      return printInconclusive('error', counts, boundedBy);
    default:
      return unreachable(verdict);
  }
}

/** `what` was not found in so many executions. */
export function printInconclusive(what: string, counts: string, bounds: readonly Bound[]): string {
  const cuts = cutsOf(bounds).map(printBound);
  const found = isVacuous(bounds) ? `no execution ran to its end (${counts})` : `no ${what} in ${counts}`;
  const why = cuts.length > 0 ? `but stopped (${cuts.join('; ')})` : 'so an answer would be vacuous';
  return `inconclusive: ${found}, ${why}`;
}

export function printCauses({ assume, unroll, spin }: BlockedCounts): string {
  const causes = [
    ...(spin > 0 ? [`${spin} waiting in a loop`] : []),
    ...(assume > 0 ? [`${assume} by an assumption`] : []),
    ...(unroll > 0 ? [`${unroll} by the bound on loops`] : []),
  ];
  return causes.length === 0 ? '' : `: ${causes.join(', ')}`;
}

export function printFailure(
  program: Program,
  model: Model,
  found: FoundError,
  source: SourceLines,
  options: PrintOptions = DEFAULT_PRINT,
): string[] {
  const { width, style } = options;
  const trace = traceFailure(program, model, found, source);
  const paragraph = (text: string): string[] => wrap(printable(text), width - INDENT.length, '  ');
  const shown =
    trace === undefined
      ? [tooLongToShow(found.schedule)!, ...(found.error.kind === 'race' ? [WHAT_A_RACE_IS] : [])].flatMap(paragraph)
      : [
          ...printStory(upToRace(trace), { width: width - INDENT.length, style }),
          '',
          ...(found.error.kind === 'race' ? [WHAT_A_RACE_IS] : printWhy(trace)).flatMap(paragraph),
          ...trace.blocks.flatMap((block) => paragraph(`${block.name}: ${blockText(block)}`)),
        ];
  return [
    ...paragraph(printError(found.error)).map(style.bad),
    ...(found.error.notes ?? []).flatMap((note) => wrap(`  ${printable(note)}`, width - INDENT.length, '    ')),
    '',
    ...shown,
    ...paragraph(printSchedule(found.schedule)),
    ...(trace === undefined ? [] : printOutput(trace)),
    '',
  ].map((line) => (line === '' ? '' : INDENT + line));
}

const INDENT = '  ';
const LONGEST_SCHEDULE = 1000;

function printSchedule(schedule: string): string {
  return schedule.length <= LONGEST_SCHEDULE
    ? `schedule: ${schedule === '' ? '(no steps)' : schedule}`
    : `schedule: of ${plural(schedule.length, 'character')}, in the JSON report`;
}

const WHAT_A_RACE_IS =
  'Why: two threads access the same variable, at least one of them writes, at least one access is not atomic, and neither ' +
  'has to come first. C gives such a program no meaning, whatever values it reads here. Make the accesses atomic, or hold ' +
  'the same mutex around both.';

function printWhy({ explanation, sequential }: TraceReport): readonly string[] {
  if (sequential === undefined) return [];
  if (explanation === undefined) return ['Store buffers play no part in this: the same can happen under sc.'];
  const [why, ...remedies] = explanation;
  return [
    `Why: ${why}`,
    'A store waits in the store buffer of its thread, where no other thread sees it, until it reaches memory. ' +
      'If every store reached memory at once, as under sc, this could not happen.',
    ...remedies,
  ];
}

function printRobustness(
  program: Program,
  { model, robust, beyondSc, cycle, executions, blocked, cutsIdleLoops, errors, verdict, how }: ModelResult,
  source: SourceLines,
  { width, style }: PrintOptions,
): string[] {
  if (beyondSc === undefined || robust === null || how === 'robust') return [];
  const cut = cutsIdleLoops ? ' (iterations that only wait left out; --no-spin counts them)' : '';
  if (cycle === undefined) return [`  robust: every execution is one of SC${cut}`];
  const seen = `${beyondSc} of ${plural(executions + blocked, 'execution')} ${beyondSc === 1 ? 'is' : 'are'} not one of SC`;
  const count = beyondSc > 0 ? seen : 'there are executions that are none of SC';
  // The failing execution has been shown, and says more.
  if (errors.length > 0) return [`  not robust: ${count}`];
  const trace = traceExecution(new Machine(program, model), cycle.schedule, source);
  const harmless =
    verdict.kind === 'verified' ? ['No execution goes wrong: what the program checks holds all the same.'] : [];
  return [
    `not robust: ${count}, for example:`,
    '',
    ...printStory(trace, { width: width - INDENT.length, style }),
    '',
    ...[...printWhy(trace), ...harmless, printSchedule(cycle.schedule)].flatMap((text) =>
      wrap(printable(text), width - INDENT.length, '  '),
    ),
    '',
  ].map((line) => (line === '' ? '' : INDENT + line));
}

export function printCycle({ edges }: CycleDescription): string[] {
  const rows = edges.map(({ from, relation }) => {
    const where = from.source === undefined ? '' : `${from.source.file.split('/').at(-1)}:${from.source.line}`;
    return [from.name, where, from.effect, `→ ${relation}`];
  });
  return alignColumns(rows.map((row) => row.map(printable)));
}

/** More than this nobody reads. */
const MAX_WARNINGS = 10;

/** Each once, whatever models it is for. */
function printWarnings(results: readonly ModelResult[], { width }: PrintOptions): string[] {
  const messages = [...new Set(results.flatMap(({ warnings }) => warnings.map(({ message }) => message)))];
  const more = messages.length - MAX_WARNINGS;
  return [
    ...messages.slice(0, MAX_WARNINGS).flatMap((message) => wrap(`warning: ${printable(message)}`, width, '  ')),
    ...(more > 0 ? [`and ${plural(more, 'more warning')}, which --json lists`] : []),
  ];
}

function printOutput({ output }: TraceReport): string[] {
  if (output === '') return [];
  return [
    'output:',
    ...output
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `  ${printable(line)}`),
  ];
}

export function reportError(file: string, model: Model, { error, schedule, original }: FoundError): ErrorReport {
  return {
    ...error,
    schedule,
    ...(original === undefined ? {} : { originalSchedule: original }),
    id: errorId(file, model, error),
  };
}

/** Event by event, unless there are too many. */
export function traceFailure(
  program: Program,
  model: Model,
  { error, schedule }: FoundError,
  source?: SourceLines,
): TraceReport | undefined {
  if (tooLongToShow(schedule) !== undefined) return undefined;
  const machine = new Machine(program, model, {}, replayOptions(error.kind, false));
  const trace = traceExecution(machine, schedule, source);
  if (error.kind === 'race') return markRace(machine, trace);
  const { thread, message, file, line } = error;
  // What the machine does not notice, and has no end for.
  if (trace.ends.length > 0 || thread === undefined || file === undefined || line === undefined) return trace;
  const text = source?.(file, line)?.trim();
  return { ...trace, ends: [{ thread, what: message, file, line, ...(text === undefined ? {} : { text }) }] };
}

/** The two accesses say so. */
function markRace({ events, processes }: Machine, trace: TraceReport): TraceReport {
  const race = findRace(events, processes);
  if (race === undefined) return trace;
  const other = new Map([
    [race.first, race.second],
    [race.second, race.first],
  ]);
  const marked = trace.events.map((row, e) =>
    other.has(e) ? { ...row, races: trace.events[other.get(e)!]!.event } : row,
  );
  return { ...trace, events: marked };
}

/** What comes after a race has nothing to do with it. */
function upToRace(trace: TraceReport): TraceReport {
  const last = trace.events.findLastIndex(({ races }) => races !== undefined);
  return last < 0 ? trace : { ...trace, events: trace.events.slice(0, last + 1) };
}

export function reportCheck(file: string, program: Program, result: ModelResult, source?: SourceLines): CheckReport {
  const [found] = result.errors;
  const model = result.how === 'sc' ? 'sc' : result.model;
  const reportOf = (e: FoundError): ErrorReport => reportError(file, model, e);
  const traceOf = (e: FoundError): { trace?: TraceReport } => {
    const trace = traceFailure(program, model, e, source);
    return trace === undefined ? {} : { trace };
  };
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
    warnings: result.warnings,
    ...(found === undefined ? {} : { error: reportOf(found), ...traceOf(found) }),
    ...(result.errors.length > 1
      ? { otherErrors: result.errors.slice(1).map((other) => ({ ...reportOf(other), ...traceOf(other) })) }
      : {}),
  };
}

export function reportCycle({ schedule, edges }: CycleDescription): CycleReport {
  const place = ({ name, thread, effect, source }: EventDescription): EventPlace => ({
    event: name,
    thread,
    effect,
    ...(source === undefined ? {} : { file: source.file, line: source.line }),
  });
  return { schedule, edges: edges.map(({ from, relation, to }) => ({ from: place(from), relation, to: place(to) })) };
}

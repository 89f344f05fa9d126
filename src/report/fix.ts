/** What `fencepost fix` says: each change with what it keeps in order, the proof, and the patch. */

import type { Place } from '../fix/candidates.ts';
import type { Explanation } from '../fix/explain.ts';
import type { ChangeResult, FixResult, Proof } from '../fix.ts';
import type { EventDescription } from '../machine/describe.ts';
import { printError } from '../machine/error.ts';
import { Machine } from '../machine/machine.ts';
import type { Program } from '../program/ir.ts';
import { unreachable } from '../util/unreachable.ts';
import { CHANGE_NAMES } from './change-names.ts';
import { DEFAULT_PRINT, type PrintOptions, printCheck } from './check.ts';
import { traceExecution } from './execution.ts';
import type { ChangeReport, EventPlace, FixReport, SourcePlace } from './schema.ts';
import type { SourceLines } from './story.ts';
import { alignColumns, plural, printable, shorten } from './text.ts';

const MAX_SOURCE = 60;

export function printFix(
  file: string,
  program: Program,
  result: FixResult,
  source: SourceLines,
  options: PrintOptions = DEFAULT_PRINT,
): string {
  const { goal, models } = result;
  const name = printable(file);
  const wanted = `${goal} under ${models.join(' and ')}`;
  switch (result.kind) {
    case 'sc':
      return (
        `${printCheck(file, program, [result.sc], source, options)}\n` +
        `${name} is wrong under sc already: no fence mends that, so look at the execution above first`
      );
    case 'stopped':
      return `${name}: inconclusive, stopped before a fix was found (${result.bounds.join('; ')})`;
    case 'unneeded':
      return `${name} is ${wanted}: no change needed${printBounds(result.bounds)}`;
    case 'impossible': {
      const { execution, error } = result.learnt;
      if (result.minimise) return `${name} is not ${wanted} with all its fences: run fix without --minimise first`;
      const what = error === undefined ? 'is not one of sc' : `ends in ${printable(printError(error))}`;
      return (
        `${name} cannot be made ${wanted} by fences between statements, or by stronger orders where the text has them:\n` +
        `  with all of them there is still an execution under ${execution.model} that ${what}`
      );
    }
    case 'fixed':
      return [printHeadline(name, wanted, result), '', ...printBody(result, source), printPatch(result)].join('\n');
    default:
      return unreachable(result);
  }
}

type Fixed = Extract<FixResult, { kind: 'fixed' }>;

function printHeadline(name: string, wanted: string, { removed, changes, cost, bounds }: Fixed): string {
  if (removed.length > 0) {
    const kept = changes.length === 0 ? 'without any' : `with ${plural(changes.length, 'fence')} (cost ${cost})`;
    return `${name} stays ${wanted} ${kept}${printBounds(bounds)}`;
  }
  const change = `${plural(changes.length, 'change')} (cost ${cost})`;
  return `${name} becomes ${wanted} with ${change}${printBounds(bounds)}`;
}

function printBounds(bounds: readonly string[]): string {
  return bounds.length === 0 ? '' : `; valid only up to a bound (${bounds.join('; ')})`;
}

function printBody({ changes, removed, others, hasMore, cost, proofs, goal }: Fixed, source: SourceLines): string[] {
  const lines: string[] = [];
  for (const { place, before, after } of removed) {
    const becomes = after === undefined ? 'is not needed' : `can be a ${CHANGE_NAMES[after]}`;
    lines.push(`  the ${CHANGE_NAMES[before]} at ${printPlace(place, source)} ${becomes}`);
  }
  if (removed.length > 0) lines.push('');
  for (const [i, { kind, place, why }] of changes.entries()) {
    const where = place.kind === 'point' ? 'before' : 'of';
    const what = removed.length > 0 ? `keep the ${CHANGE_NAMES[kind]} at` : `${CHANGE_NAMES[kind]} ${where}`;
    lines.push(`  ${i + 1}. ${what} ${printPlace(place, source)}`, ...printWhy(why), '');
  }
  for (const other of others) lines.push(`  also of cost ${cost}: ${other.map((c) => printShort(c)).join(', ')}`);
  if (hasMore) lines.push(`  and more of cost ${cost}`);
  if (others.length > 0) lines.push('');
  lines.push(`  ${printProofs(proofs, goal)}`);
  lines.push('  This is about the threads and calls of this program as it is; another use may need more.', '');
  return lines;
}

function printProofs(proofs: readonly Proof[], goal: string): string {
  const verdicts = proofs.map(({ model, verdict, executions }) => {
    const answer = verdict.kind === 'verified' ? (goal === 'safe' ? 'verified' : 'robust') : verdict.kind;
    return `${model} ${answer} (${plural(executions, 'execution')})`;
  });
  return `The patched source was compiled and checked from scratch: ${verdicts.join(', ')}.`;
}

function printShort({ kind, place }: ChangeResult): string {
  const where = place.location === undefined ? 'somewhere' : `${shortFile(place.location.file)}:${place.location.line}`;
  return `${CHANGE_NAMES[kind]} ${place.kind === 'point' ? 'before' : 'of'} ${where}`;
}

function printPlace({ location }: Place, source: SourceLines): string {
  if (location === undefined) return 'an unknown place';
  const text = source(location.file, location.line)?.trim() ?? '';
  const where = printable(`${location.file}:${location.line}`);
  return text === '' ? where : `${where}  ${printable(shorten(text, MAX_SOURCE))}`;
}

function printWhy(why: Explanation | undefined): string[] {
  if (why === undefined) return [];
  const { model, late, early, cycle, error } = why;
  const end = error === undefined ? '' : `, which ends in ${printable(printError(error))}`;
  const lines = [
    `     ${printAccess(late)} must reach memory before ${printAccess(early)}`,
    ...(cycle.length === 0 ? [] : [`     it cuts this cycle of ${model}${end}:`, '']),
  ];
  const rows = cycle.map(({ event, relation }) => [event.thread, placeOf(event), event.effect, `→ ${relation}`]);
  lines.push(...alignColumns(rows.map((row) => row.map(printable))).map((line) => `       ${line}`));
  return lines;
}

function printAccess(event: EventDescription): string {
  return printable(`${event.kind} ${event.effect.replace(/ \(buffered\)/, '')} (${placeOf(event)})`);
}

function placeOf({ source }: EventDescription): string {
  return source === undefined ? '' : `${shortFile(source.file)}:${source.line}`;
}

function shortFile(file: string): string {
  return file.split('/').at(-1)!;
}

/** The bytes of the file, which are most often UTF-8. */
function printPatch({ patches }: Fixed): string {
  return patches.map(({ diff }) => Buffer.from(diff, 'latin1').toString('utf8')).join('');
}

export function reportFix(file: string, program: Program, result: FixResult, written: boolean): FixReport {
  const common = { file, models: result.models, goal: result.goal, outcome: result.kind, bounds: result.bounds };
  const upTo = result.bounds.length === 0 ? 'verified' : 'inconclusive';
  switch (result.kind) {
    case 'sc': {
      const { error, schedule } = result.sc.errors[0]!;
      const trace = traceExecution(new Machine(program, 'sc'), schedule);
      return { ...common, verdict: 'violation', error: { ...error, schedule }, trace };
    }
    case 'stopped':
      return { ...common, verdict: 'inconclusive' };
    case 'unneeded':
      return { ...common, verdict: upTo };
    case 'impossible': {
      const { error, execution } = result.learnt;
      const { schedule } = execution;
      return { ...common, verdict: 'violation', ...(error === undefined ? {} : { error: { ...error, schedule } }) };
    }
    case 'fixed':
      return {
        ...common,
        verdict: upTo,
        cost: result.cost,
        changes: result.changes.map(reportChange),
        ...(result.removed.length === 0
          ? {}
          : {
              removed: result.removed.map(({ place, before, after }) => ({
                place: reportPlace(place),
                before,
                after: after ?? null,
              })),
            }),
        others: result.others.map((set) => set.map(reportChange)),
        hasMore: result.hasMore,
        patch: printPatch(result),
        proofs: result.proofs.map(({ model, verdict, executions }) => ({ model, verdict: verdict.kind, executions })),
        written,
      };
    default:
      return unreachable(result);
  }
}

function reportChange({ kind, place, cost, why }: ChangeResult): ChangeReport {
  const event = ({ name, thread, effect, source }: EventDescription): EventPlace => ({
    event: name,
    thread,
    effect,
    ...(source === undefined ? {} : { file: source.file, line: source.line }),
  });
  return {
    kind,
    place: reportPlace(place),
    cost,
    ...(why === undefined
      ? {}
      : {
          orders: {
            model: why.model,
            late: event(why.late),
            early: event(why.early),
            cycle: why.cycle.map(({ event: e, relation }) => ({ event: event(e), relation })),
          },
        }),
  };
}

function reportPlace({ location }: Place): SourcePlace | null {
  if (location === undefined) return null;
  return { file: location.file, line: location.line, column: location.column };
}

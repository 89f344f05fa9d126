/** What `fencepost fix` says: each change with what it keeps in order, the proof, and the patch. */

import { relative } from 'node:path';
import type { Place } from '../../fix/candidates.ts';
import type { Explanation } from '../../fix/explain.ts';
import type { Untouched } from '../../fix/present-fences.ts';
import { printError } from '../../machine/code/error.ts';
import type { EventDescription } from '../../machine/describe/describe.ts';
import { Machine } from '../../machine/machine.ts';
import type { ChangeResult, FixResult } from '../../pipelines/fix/fix.ts';
import type { Proof } from '../../pipelines/fix/patched.ts';
import type { Program } from '../../program/ir.ts';
import { type Location, printLocation } from '../../program/location.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { ChangeReport, FixReport, OrdersReport, SourcePlace, UntouchedReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import { traceExecution } from '../story/execution.ts';
import { alignColumns, plural, printable, shorten } from '../text.ts';
import type { EventPlace } from '../trace-schema.ts';
import { CHANGE_NAMES } from './change-names.ts';
import { DEFAULT_PRINT, type PrintOptions, printCheck } from './check.ts';

const MAX_SOURCE = 60;

/** All but the patch, which is bytes: `patchOf`. */
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
    case 'unneeded': {
      const { bounds, minimise } = result;
      const answer = minimise ? 'no fence can go' : 'no change needed';
      const known = minimise ? 'no fence is known to be one that can go' : 'no change is known to be needed';
      const headline =
        bounds.length === 0
          ? `${name} is ${wanted}: ${answer}`
          : `${name}: inconclusive: nothing found that is not ${wanted} up to a bound (${bounds.join('; ')}), so ${known}`;
      return [headline, ...printUntouched(result)].join('\n');
    }
    case 'impossible':
      if (result.minimise) return `${name} is not ${wanted} with all its fences: run fix without --minimise first`;
      return [
        `${name} cannot be made ${wanted} by fences between statements, or by stronger orders where the text has them:`,
        ...printObstacle(result),
      ].join('\n');
    case 'fixed':
      return [printHeadline(name, wanted, result), '', ...printBody(result, source)].join('\n');
    default:
      return unreachable(result);
  }
}

type Fixed = Extract<FixResult, { kind: 'fixed' }>;

/** With what no set of changes prevents, and what to do about it. */
function printObstacle({ learnt, between }: Extract<FixResult, { kind: 'impossible' }>): readonly string[] {
  const { execution, error } = learnt;
  const what = error === undefined ? 'is not one of sc' : `ends in ${printable(printError(error))}`;
  const still = `  with all of them there is still an execution under ${execution.model} that ${what}`;
  // The search of SC was cut short before it came to it.
  if (between === undefined) return [still, '  and that is one of sc: no fence mends that'];
  const { late, early, cycle, why, advice } = between;
  return [
    still,
    '',
    `  ${printAccess(late)} must reach memory before ${printAccess(early)},`,
    `  but nothing fits between them: ${printable(why)}.`,
    `  To mend it, ${printable(advice)}; then run fix again.`,
    '',
    ...printCycle(cycle).map((line) => `    ${line}`),
  ];
}

function printUntouched({ untouched }: FixResult): readonly string[] {
  return untouched.map(
    ({ location, what, why }) => `  left as it is: the ${what} at ${printable(printLocation(location))}: ${why}`,
  );
}

function printHeadline(name: string, wanted: string, { removed, changes, cost, bounds }: Fixed): string {
  if (removed.length > 0) {
    const kept = changes.length === 0 ? 'without these' : `with ${plural(changes.length, 'fence')} (cost ${cost})`;
    return `${name} stays ${wanted} ${kept}${printBounds(bounds)}`;
  }
  const change = `${plural(changes.length, 'change')} (cost ${cost})`;
  return `${name} becomes ${wanted} with ${change}${printBounds(bounds)}`;
}

function printBounds(bounds: readonly string[]): string {
  return bounds.length === 0 ? '' : `; valid only up to a bound (${bounds.join('; ')})`;
}

function printBody(result: Fixed, source: SourceLines): string[] {
  const { changes, removed, others, hasMore, cost, proofs, goal, minimise, folder } = result;
  const lines: string[] = [];
  for (const { place, before, after } of removed) {
    const becomes = after === undefined ? 'is not needed' : `can be a ${CHANGE_NAMES[after]}`;
    lines.push(`  the ${CHANGE_NAMES[before]} ${placed(place, 'at')} ${printPlace(place, source)} ${becomes}`);
  }
  lines.push(...printUntouched(result));
  if (removed.length > 0) lines.push('');
  for (const [i, { kind, place, why }] of changes.entries()) {
    const what = minimise
      ? `keep the ${CHANGE_NAMES[kind]} ${placed(place, 'at')}`
      : `${CHANGE_NAMES[kind]} ${placed(place)}`;
    lines.push(`  ${i + 1}. ${what} ${printPlace(place, source)}`, ...printWhy(why), '');
  }
  const sets = others.map((other) => other.map((c) => printShort(c, minimise ? 'at' : undefined)).join(', '));
  for (const set of sets) lines.push(`  also of cost ${cost}: ${set === '' ? 'nothing' : set}`);
  if (hasMore) lines.push(`  and more of cost ${cost}`);
  if (others.length > 0 || hasMore) lines.push('');
  lines.push(`  ${printProofs(proofs, goal)}`);
  lines.push('  This is about the threads and calls of this program as it is; another use may need more.');
  const there = relative(process.cwd(), folder);
  if (there !== '')
    lines.push(`  The paths of the patch start from ${printable(there)}: patch -p1 -d ${printable(there)}`);
  lines.push('');
  return lines;
}

/** How a place is spoken of: a fence is `before` a statement, an order is `of` an access. */
function placed({ kind, behind }: Place, fence?: string): string {
  return kind === 'access' ? 'of' : (fence ?? (behind === undefined ? 'before' : 'after'));
}

function printProofs(proofs: readonly Proof[], goal: string): string {
  const verdicts = proofs.map(({ model, verdict, executions }) => {
    const answer = verdict.kind === 'verified' ? (goal === 'safe' ? 'verified' : 'robust') : verdict.kind;
    return `${model} ${answer} (${plural(executions, 'execution')})`;
  });
  return `The patched source was compiled and checked from scratch: ${verdicts.join(', ')}.`;
}

function printShort({ kind, place }: ChangeResult, fence?: string): string {
  const location = place.behind ?? place.location;
  return `${CHANGE_NAMES[kind]} ${placed(place, fence)} ${location === undefined ? 'somewhere' : shortPlace(location)}`;
}

/** With the text from there to the end of the line. */
function printPlace({ location: own, behind }: Place, source: SourceLines): string {
  const location = behind ?? own;
  if (location === undefined) return 'an unknown place';
  const line = source(location.file, location.line) ?? '';
  const text = Buffer.from(line)
    .subarray(Math.max(0, location.column - 1))
    .toString()
    .trim();
  const where = printable(printLocation(location));
  return text === '' ? where : `${where}  ${printable(shorten(text, MAX_SOURCE))}`;
}

function printWhy(why: Explanation | undefined): string[] {
  if (why === undefined) return [];
  const { model, late, early, cycle, error } = why;
  const end = error === undefined ? '' : `, which ends in ${printable(printError(error))}`;
  return [
    `     ${printAccess(late)} must reach memory before ${printAccess(early)}`,
    ...(cycle.length === 0 ? [] : [`     it cuts this cycle of ${model}${end}:`, '']),
    ...printCycle(cycle).map((line) => `       ${line}`),
  ];
}

function printCycle(cycle: Explanation['cycle']): readonly string[] {
  const rows = cycle.map(({ event, relation }) => [event.thread, placeOf(event), event.effect, `→ ${relation}`]);
  return alignColumns(rows.map((row) => row.map(printable)));
}

function printAccess(event: EventDescription): string {
  return printable(`${event.kind} ${event.effect.replace(/ \(buffered\)/, '')} (${placeOf(event)})`);
}

function placeOf({ source }: EventDescription): string {
  return source === undefined ? '' : shortPlace(source);
}

function shortPlace(location: Location): string {
  return printLocation({ ...location, file: location.file.split('/').at(-1)! });
}

/** The patch, in the bytes of the files. */
export function patchOf(result: FixResult): Buffer {
  return Buffer.from(result.kind === 'fixed' ? result.patches.map(({ diff }) => diff).join('') : '', 'latin1');
}

export function reportFix(file: string, program: Program, result: FixResult, written: boolean): FixReport {
  const common = {
    file,
    models: result.models,
    goal: result.goal,
    outcome: result.kind,
    bounds: result.bounds,
    ...(result.untouched.length === 0 ? {} : { untouched: result.untouched.map(reportUntouched) }),
  };
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
      const { between, learnt } = result;
      const { error, execution } = learnt;
      const { schedule } = execution;
      return {
        ...common,
        verdict: 'violation',
        ...(error === undefined ? {} : { error: { ...error, schedule } }),
        ...(between === undefined
          ? {}
          : { between: { ...reportOrders(between), why: between.why, advice: between.advice } }),
      };
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
        patch: patchOf(result).toString('utf8'),
        patchFolder: relative(process.cwd(), result.folder) || '.',
        proofs: result.proofs.map(({ model, verdict, executions }) => ({ model, verdict: verdict.kind, executions })),
        written,
      };
    default:
      return unreachable(result);
  }
}

function reportChange({ kind, place, cost, why }: ChangeResult): ChangeReport {
  return { kind, place: reportPlace(place), cost, ...(why === undefined ? {} : { orders: reportOrders(why) }) };
}

function reportOrders({ model, late, early, cycle }: Explanation): OrdersReport {
  const event = ({ name, thread, effect, source }: EventDescription): EventPlace => ({
    event: name,
    thread,
    effect,
    ...(source === undefined ? {} : { file: source.file, line: source.line, column: source.column }),
  });
  return {
    model,
    late: event(late),
    early: event(early),
    cycle: cycle.map(({ event: e, relation }) => ({ event: event(e), relation })),
  };
}

function reportUntouched({ location: { file, line, column }, what, why }: Untouched): UntouchedReport {
  return { place: { file, line, column }, what, why };
}

function reportPlace({ location }: Place): SourcePlace | null {
  if (location === undefined) return null;
  return { file: location.file, line: location.line, column: location.column };
}

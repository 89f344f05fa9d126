/** The text output of `fencepost fix`: each change with the accesses it orders, the proof, and the patch. */
import { isLanguage, modelNamed } from '../../models/index.ts';
import { SC } from '../../models/sc.ts';
import { printError } from '../../program/error-text.ts';
import { printLocation } from '../../program/location.ts';
import { listText } from '../../util/list-text.ts';
import { unreachable } from '../../util/unreachable.ts';
import { accessText } from '../access-text.ts';
import type { ChangeReport, CheckReport, FixReport, OrdersReport, SourcePlace } from '../schema.ts';
import { alignColumns, plural, printable, shorten } from '../text.ts';
import type { EventPlace } from '../trace-schema.ts';
import { CHANGE_NAMES } from './change-names.ts';
import { DEFAULT_PRINT, type PrintOptions, printCheck, settingsText } from './check.ts';

const MAX_SOURCE = 60;

/** Everything except the patch, which is bytes: see `patchOf`. */
export function printFix(result: FixReport, options: PrintOptions = DEFAULT_PRINT): string {
  const { goal, models, outcome, bounds, minimise } = result;
  const name = printable(result.file);
  const wanted = `${goal} under ${listText(models)}${settingsText(options)}`;
  switch (outcome) {
    case 'sc':
      return (
        `${printCheck([checkOfSc(result)], options)}\n` +
        `${name} already fails under sc, which no fence can fix: see the execution above`
      );
    case 'stopped':
      return `${name}${settingsText(options)}: inconclusive, stopped before a fix was found (${bounds.join('; ')})`;
    case 'unneeded': {
      const all = models.some(isLanguage) ? 'every fence and order is needed' : 'every fence is needed';
      const answer = minimise === true ? all : 'no change needed';
      const known = minimise === true ? 'no fence is known to be unneeded' : 'no change is known to be needed';
      const headline =
        bounds.length === 0
          ? `${name} is ${wanted}: ${answer}`
          : `${name}: inconclusive: no violation of "${wanted}" up to a bound (${bounds.join('; ')}), so ${known}`;
      const table = printWeakest(result);
      return [headline, ...(table.length === 0 ? [] : ['', ...table]), ...printUntouched(result)].join('\n').trimEnd();
    }
    case 'impossible':
      if (minimise === true) return `${name} is not ${wanted} with all its fences: run fix without --minimise first`;
      return [
        `${name} cannot be made ${wanted} by fences between statements or by stronger orders:`,
        ...printObstacle(result),
      ].join('\n');
    case 'fixed':
      return [printHeadline(name, wanted, result), '', ...printBody(result)].join('\n');
    default:
      return unreachable(outcome);
  }
}

/** The result that `check` would report for SC. */
function checkOfSc({
  file,
  executions = 0,
  blocked = 0,
  blockedBy,
  warnings = [],
  error,
  trace,
}: FixReport): CheckReport {
  return {
    file,
    model: SC.name,
    verdict: 'violation',
    how: 'explored',
    executions,
    blocked,
    ...(blockedBy === undefined ? {} : { blockedBy }),
    robust: null,
    seconds: 0,
    bounds: [],
    warnings,
    ...(error === undefined ? {} : { error }),
    ...(trace === undefined ? {} : { trace }),
  };
}

/** The execution that no set of changes prevents, and what to do about it. */
function printObstacle({ model, error, between }: FixReport): readonly string[] {
  const what = error === undefined ? 'sc does not allow' : `ends in ${printable(printError(error))}`;
  const still = `  with all of them there is still an execution under ${model} that ${what}`;
  const isOfLanguage = model !== undefined && isLanguage(model);
  if (between === undefined && isOfLanguage) return [still, '  so the algorithm itself must change'];
  // The search under SC was cut short before it found this.
  if (between === undefined) return [still, '  which sc allows too, so no fence can fix it'];
  const { late, early, cycle, why, advice } = between;
  return [
    still,
    '',
    ...(isOfLanguage
      ? [`  ${printAccess(late)} and ${printAccess(early)} race: ${printable(why)}.`]
      : [
          `  ${printAccess(late)} must reach memory before ${printAccess(early)},`,
          `  but nothing fits between them: ${printable(why)}.`,
        ]),
    `  To fix it, ${printable(advice)}; then run fix again.`,
    ...(cycle.length === 0 ? [] : ['', ...printCycle(cycle).map((line) => `    ${line}`)]),
  ];
}

function printUntouched({ untouched = [] }: FixReport): readonly string[] {
  return untouched.map(
    ({ place, what, why }) => `  not changed: the ${what} at ${printable(printLocation(place))}: ${why}`,
  );
}

function printHeadline(name: string, wanted: string, result: FixReport): string {
  const { removed = [], weakest = [], changes = [], cost, bounds } = result;
  if (weakest.length > 0) {
    const weaker = weakest.filter(({ now, could }) => now !== could).length;
    return `${name} stays ${wanted} with ${plural(weaker, 'weaker order')} (cost ${cost})${printBounds(bounds)}`;
  }
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

function printBody(result: FixReport): string[] {
  const { changes = [], removed = [], others = [], hasMore = false, cost, goal, minimise } = result;
  const fence = minimise === true ? 'at' : undefined;
  const lines: string[] = [];
  for (const { place, before, after } of removed) {
    const becomes = after === null ? 'is not needed' : `can be a ${CHANGE_NAMES[after]}`;
    lines.push(`  the ${CHANGE_NAMES[before]} ${placed({ kind: before }, 'at')} ${printPlace(place)} ${becomes}`);
  }
  lines.push(...printWeakest(result), ...printUntouched(result));
  if (removed.length > 0 || (minimise === true && lines.at(-1) !== '')) lines.push('');
  for (const [i, change] of changes.entries()) {
    const name = CHANGE_NAMES[change.kind];
    const what = `${minimise === true ? `keep the ${name}` : name} ${placed(change, fence)}`;
    const asked = change.askedBy === undefined ? [] : [`     asked for by ${change.askedBy.join(', ')}`];
    const place = printPlace(change.behind ?? change.place);
    lines.push(`  ${i + 1}. ${what} ${place}`, ...asked, ...printWhy(change.orders), '');
  }
  const sets = others.map((other) => other.map((c) => printShort(c, fence)).join(', '));
  for (const set of sets) lines.push(`  other solution of cost ${cost}: ${set === '' ? 'no changes' : set}`);
  if (hasMore) lines.push(`  and more of cost ${cost}`);
  if (others.length > 0 || hasMore) lines.push('');
  lines.push(`  ${printProofs(result.proofs ?? [], goal)}`);
  lines.push('  This holds for the threads and calls of this program; other uses may need more.');
  if (result.weakest !== undefined) lines.push(...printLacks(result.models));
  const there = printable(result.patchFolder ?? '.');
  if (there !== '.') lines.push(`  The patch's paths are relative to ${there}: patch -p1 -d ${there}`);
  lines.push('');
  return lines;
}

function printLacks(models: readonly string[]): readonly string[] {
  return models.flatMap((model) => {
    const lacks = modelNamed(model).language?.lacks;
    if (lacks === undefined) return [];
    return [`  ${model.toUpperCase()} has no ${lacks.what}, ${lacks.where}: see ${lacks.page}.`];
  });
}

/** What each access and fence is now, and the weakest it could be. */
function printWeakest({ weakest = [] }: FixReport): readonly string[] {
  if (weakest.length === 0) return [];
  const rows = weakest.map(({ place, what, now, could }) => [
    `  ${place === null ? '' : printable(shortPlace(place))}`,
    printable(what),
    now,
    now === could ? 'is needed' : could === null ? 'is not needed' : `could be ${could}`,
  ]);
  return [...alignColumns(rows), ''];
}

/** The preposition for a place: a fence is `before` a statement, an order is `of` an access. */
function placed({ kind, behind }: Pick<ChangeReport, 'kind' | 'behind'>, fence?: string): string {
  return !kind.endsWith('-fence') ? 'of' : (fence ?? (behind === undefined ? 'before' : 'after'));
}

function printProofs(proofs: NonNullable<FixReport['proofs']>, goal: string): string {
  const verdicts = proofs.map(({ model, verdict, executions }) => {
    const answer = verdict === 'verified' ? (goal === 'safe' ? 'verified' : 'robust') : verdict;
    return `${model} ${answer} (${plural(executions, 'execution')})`;
  });
  return `The patched source was compiled and checked from scratch: ${verdicts.join(', ')}.`;
}

function printShort(change: ChangeReport, fence?: string): string {
  const place = change.behind ?? change.place;
  return `${CHANGE_NAMES[change.kind]} ${placed(change, fence)} ${place === null ? 'somewhere' : shortPlace(place)}`;
}

/** A place, with the text from there to the end of the line. */
function printPlace(place: SourcePlace | null): string {
  if (place === null) return 'an unknown location';
  const text = Buffer.from(place.text ?? '')
    .subarray(Math.max(0, place.column - 1))
    .toString()
    .trim();
  const where = printable(printLocation(place));
  return text === '' ? where : `${where}  ${printable(shorten(text, MAX_SOURCE))}`;
}

function printWhy(why: OrdersReport | undefined): string[] {
  if (why === undefined) return [];
  const { model, late, early, cycle, error } = why;
  const end = error === undefined ? '' : `, which leads to ${printable(printError(error))}`;
  if (isLanguage(model)) {
    return [
      `     ${printAccess(late)} must happen before ${printAccess(early)}`,
      `     without it, under ${model}, ${error?.kind === 'race' ? 'they race' : `it need not${end}`}`,
    ];
  }
  return [
    `     ${printAccess(late)} must reach memory before ${printAccess(early)}`,
    ...(cycle.length === 0 ? [] : [`     it breaks this cycle under ${model}${end}:`, '']),
    ...printCycle(cycle).map((line) => `       ${line}`),
  ];
}

function printCycle(cycle: OrdersReport['cycle']): readonly string[] {
  const rows = cycle.map(({ event, relation }) => [event.thread, placeOf(event), event.effect, `→ ${relation}`]);
  return alignColumns(rows.map((row) => row.map(printable)));
}

function printAccess(event: EventPlace): string {
  return printable(`${event.kind} ${accessText(event)} (${placeOf(event)})`);
}

function placeOf({ file, line = 0, column = 0 }: EventPlace): string {
  return file === undefined ? '' : shortPlace({ file, line, column });
}

function shortPlace({ file, line, column }: SourcePlace): string {
  return printLocation({ file: file.split('/').at(-1)!, line, column });
}

/** The patch as bytes, in the encoding of the files. */
export function patchOf({ patch = '', patchBytes }: FixReport): Buffer {
  return patchBytes === undefined ? Buffer.from(patch, 'utf8') : Buffer.from(patchBytes, 'base64');
}

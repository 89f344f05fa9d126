/**
 * The text output of `fencepost robust`: for each model, whether SC allows every execution; each violation with its
 * cycle.
 */
import { SC } from '../../models/sc.ts';
import { printError } from '../../program/error-text.ts';
import { printLocation } from '../../program/location.ts';
import { unreachable } from '../../util/unreachable.ts';
import { accessText } from '../access-text.ts';
import { NO_FAILURE } from '../harm-text.ts';
import type { CycleReport, RobustReport, SourcePlace, ViolationReport } from '../schema.ts';
import { PLAIN } from '../style.ts';
import { plural, printable, shorten } from '../text.ts';
import type { EventPlace } from '../trace-schema.ts';
import {
  DEFAULT_PRINT,
  type PrintOptions,
  printCheck,
  printCounts,
  printCycle,
  printHeadline,
  printInconclusive,
  underText,
} from './check.ts';
import { wrap } from './columns.ts';
import { printMonitorTable, printStatistics } from './monitor-table.ts';
import { relationsText } from './relations.ts';
import { printRounds } from './rounds.ts';

const MAX_SOURCE = 50;

/** The results of one program, or of several litmus tests. */
export function printRobust(results: readonly RobustReport[], options: PrintOptions = DEFAULT_PRINT): string {
  const files = new Set(results.map(({ file }) => file));
  return [...files]
    .map((file) =>
      printProgram(
        results.filter((r) => r.file === file),
        options,
      ),
    )
    .join('\n');
}

function printProgram(results: readonly RobustReport[], options: PrintOptions): string {
  const wrong = results.find(({ error }) => error !== undefined);
  if (wrong !== undefined) return printWrong(wrong, results, options);
  const lines: string[] = [];
  for (const result of results) {
    const pairs = distinct(result.violations);
    const answer = printAnswer(result, pairs.length);
    lines.push(printHeadline(result.file, underText(result), answer, { ...options, style: PLAIN }));
    if (result.monitors.length > 1) lines.push(...printMonitorTable(result, pairs));
    else lines.push(...printStatistics(result));
    for (const [i, same] of pairs.entries()) lines.push(...printViolation(i + 1, same, result.model, options));
    if (result.violations.length > 0 && result.bounds.length > 0) {
      lines.push(`  there may be more violations: stopped (${boundsText(result)})`);
    }
    lines.push(...printRounds(result.byBound));
  }
  const edges = results.flatMap(({ violations }) => violations.flatMap(({ cycle }) => cycle.edges));
  const relations = relationsText(edges.map(({ relation }) => relation));
  lines.push(...relations.flatMap((text) => wrap(text, options.width, '  ')));
  return lines.join('\n');
}

function boundsText({ bounds }: RobustReport): string {
  return bounds.join('; ');
}

function printWrong(wrong: RobustReport, results: readonly RobustReport[], options: PrintOptions): string {
  const models = results.map((r) => r.model).join(' and ');
  const after = `${printable(wrong.file)} already fails under sc, and so under ${models}; fix that before asking for robustness`;
  const sc = { warnings: [], ...wrong, model: SC.name, how: 'explored' as const };
  return [printCheck([sc], options), ...wrap(after, options.width, '  ')].join('\n');
}

/** Groups violations of different monitors that have the same pair of places. */
export function distinct(violations: readonly ViolationReport[]): readonly ViolationReport[][] {
  const pairs = new Map<string, ViolationReport[]>();
  for (const violation of violations) {
    const key = [violation.event, violation.write].map((at) => (at === null ? '' : printLocation(at))).join(' ');
    const known = pairs.get(key);
    if (known === undefined) pairs.set(key, [violation]);
    else known.push(violation);
  }
  return [...pairs.values()];
}

function printAnswer(result: RobustReport, violations: number): string {
  const { verdict, cutsIdleLoops } = result;
  const counts = printCounts(result, 'sc ');
  const cut = cutsIdleLoops === true ? '; waiting iterations omitted, use `--no-spin` to include them' : '';
  switch (verdict) {
    case 'verified':
      return `robust: sc allows every execution (${counts}${cut})`;
    case 'violation':
      return `not robust: ${plural(violations, 'distinct violation')} (${counts})`;
    case 'inconclusive':
      return printInconclusive('violation', counts, result);
    default:
      return unreachable(verdict);
  }
}

function printViolation(
  number: number,
  same: readonly ViolationReport[],
  model: string,
  { width }: PrintOptions,
): string[] {
  const { event, write, cycle, error, undefinedCall } = same.find((v) => v.harmful) ?? same[0]!;
  const [early, late] = pairOf(event, write, cycle);
  const indented = (text: string): string[] => wrap(`     ${text}`, width, '       ');
  return [
    ...wrap(`  ${number}. ${place(event)}`, width, '       '),
    ...indented(`${early}can take effect before ${late} at ${place(write)} reaches memory`),
    ...indented(error === undefined ? NO_FAILURE : `harmful: ${printable(printError(error))}`),
    ...(undefinedCall === undefined
      ? []
      : indented(`continuing from here can call a function that is not defined, at ${place(undefinedCall)}`)),
    ...indented('each event happens before the next, and the last before the first:'),
    '',
    ...printCycle(cycle).map((line) => `       ${line}`),
    '',
    ...indented(`schedule (${model}): ${cycle.schedule}`),
    ...(error === undefined ? [] : indented(`schedule to the error: ${error.schedule}`)),
    '',
  ];
}

/** The two accesses, with their threads if they are the cycle's first two events. */
function pairOf(event: SourcePlace | null, write: SourcePlace | null, { edges }: CycleReport): [string, string] {
  const [edge] = edges;
  const isAt = (at: SourcePlace | null, { file, line }: EventPlace): boolean => at?.file === file && at?.line === line;
  if (edge === undefined || !isAt(event, edge.from) || !isAt(write, edge.to)) return ['', 'the store'];
  const who = (at: EventPlace): string => `thread ${at.thread}'s ${printable(accessText(at)).replace(/`, \w+$/, '`')}`;
  return [`${who(edge.from)} `, who(edge.to)];
}

function place(at: SourcePlace | null): string {
  if (at === null) return 'an unknown location';
  const text = at.text?.trim();
  const where = `${printable(at.file.split('/').at(-1)!)}:${at.line}`;
  return text === undefined ? where : `${where}  ${printable(shorten(text, MAX_SOURCE))}`;
}

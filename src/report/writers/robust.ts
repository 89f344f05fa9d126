/** What `fencepost robust` says: per model whether every execution is one of SC, and each violation with its cycle. */

import { printError } from '../../machine/code/error.ts';
import { Machine } from '../../machine/machine.ts';
import type { ViolationResult } from '../../pipelines/alarms.ts';
import type { ModelResult } from '../../pipelines/check.ts';
import type { RobustResult } from '../../pipelines/robust.ts';
import type { Program } from '../../program/ir.ts';
import { type Location, printLocation } from '../../program/location.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { RobustReport, SourcePlace, ViolationReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import { traceExecution } from '../story/execution.ts';
import { PLAIN } from '../style.ts';
import { plural, printable, shorten } from '../text.ts';
import {
  DEFAULT_PRINT,
  type PrintOptions,
  printCauses,
  printCheck,
  printCycle,
  printHeadline,
  printInconclusive,
  reportCycle,
} from './check.ts';
import { wrap } from './columns.ts';

const MAX_SOURCE = 50;

export function printRobust(
  file: string,
  program: Program,
  sc: ModelResult,
  results: readonly RobustResult[],
  source: SourceLines,
  options: PrintOptions = DEFAULT_PRINT,
): string {
  if (sc.errors.length > 0) {
    const models = results.map((r) => r.model).join(' and ');
    const after = `${printable(file)} is wrong under sc already, and so under ${models}; robustness is a question for after that`;
    return [printCheck(file, program, [sc], source, options), ...wrap(after, options.width, '  ')].join('\n');
  }
  const lines: string[] = [];
  for (const result of results) {
    const pairs = distinct(result.violations);
    const by = result.monitors.length > 1;
    lines.push(printHeadline(file, result.model, printAnswer(result, pairs.length), { ...options, style: PLAIN }));
    for (const [i, same] of pairs.entries()) lines.push(...printViolation(i + 1, same, by, source, options));
    if (result.violations.length > 0 && result.bounds.length > 0) {
      lines.push(`  there may be more violations: stopped (${result.bounds.join('; ')})`);
    }
  }
  return lines.join('\n');
}

/** Violations of different monitors with the same pair of places, together. */
function distinct(violations: readonly ViolationResult[]): readonly ViolationResult[][] {
  const pairs = new Map<string, ViolationResult[]>();
  for (const violation of violations) {
    const key = [violation.event, violation.write].map((at) => (at === undefined ? '' : printLocation(at))).join(' ');
    const known = pairs.get(key);
    if (known === undefined) pairs.set(key, [violation]);
    else known.push(violation);
  }
  return [...pairs.values()];
}

function printAnswer(result: RobustResult, violations: number): string {
  const { verdict, executions, blocked, blockedBy, boundedBy, cutsIdleLoops } = result;
  const counts = `${plural(executions, 'execution')} of sc${blocked > 0 ? `, ${blocked} blocked${printCauses(blockedBy)}` : ''}`;
  const cut = cutsIdleLoops ? '; iterations that only wait left out, --no-spin counts them' : '';
  switch (verdict.kind) {
    case 'verified':
      return `robust: every execution is one of sc (${counts}${cut})`;
    case 'violation':
      return `not robust: ${plural(violations, 'distinct violation')} (${counts})`;
    case 'inconclusive':
      return printInconclusive('violation', counts, boundedBy);
    default:
      return unreachable(verdict);
  }
}

function printViolation(
  number: number,
  same: readonly ViolationResult[],
  by: boolean,
  source: SourceLines,
  { width }: PrintOptions,
): string[] {
  const { event, write, cycle, harm, model } = same.find((v) => v.harm !== undefined) ?? same[0]!;
  const indented = (text: string): string[] => wrap(`     ${text}`, width, '       ');
  return [
    ...wrap(`  ${number}. ${place(event, source)}`, width, '       '),
    ...indented(`can come before the store at ${place(write, source)} reaches memory`),
    ...indented(
      harm === undefined
        ? 'harmless in the ways to go on that were tried'
        : `harmful: ${printable(printError(harm.error))}`,
    ),
    ...(by ? indented(`seen by ${same.map((v) => v.monitor).join(', ')}`) : []),
    ...indented('each event comes before the next, and the last before the first:'),
    '',
    ...printCycle(cycle!).map((line) => `       ${line}`),
    '',
    ...indented(`schedule (${model}): ${cycle!.schedule}`),
    ...(harm === undefined ? [] : indented(`schedule to the error: ${harm.schedule}`)),
    '',
  ];
}

function place(location: Location | undefined, source: SourceLines): string {
  if (location === undefined) return 'an unknown place';
  const text = source(location.file, location.line)?.trim();
  const where = `${printable(location.file.split('/').at(-1)!)}:${location.line}`;
  return text === undefined ? where : `${where}  ${printable(shorten(text, MAX_SOURCE))}`;
}

export function reportRobust(file: string, program: Program, result: RobustResult): RobustReport {
  const [found] = result.errors;
  return {
    file,
    model: result.model,
    monitors: result.monitors,
    verdict: result.verdict.kind,
    how: result.how,
    robust: result.robust,
    executions: result.executions,
    blocked: result.blocked,
    ...(result.blocked > 0 ? { blockedBy: result.blockedBy } : {}),
    ...(result.cutsIdleLoops ? { cutsIdleLoops: true } : {}),
    seconds: Math.round(result.seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(found === undefined
      ? {}
      : {
          error: { ...found.error, schedule: found.schedule },
          trace: traceExecution(new Machine(program, 'sc'), found.schedule),
        }),
    violations: result.violations.map(reportViolation),
  };
}

function reportViolation({ monitor, event, write, cycle, harm }: ViolationResult): ViolationReport {
  const at = (location: Location | undefined): SourcePlace | null =>
    location === undefined
      ? null
      : {
          file: location.file,
          line: location.line,
          column: location.column,
          ...(location.variable === undefined ? {} : { variable: location.variable }),
        };
  return {
    monitor,
    event: at(event),
    write: at(write),
    cycle: reportCycle(cycle!),
    harmful: harm !== undefined,
    ...(harm === undefined ? {} : { error: { ...harm.error, schedule: harm.schedule } }),
  };
}

/** What `fencepost hunt` says: what was tried, what failed, and the cycles, the worst first. */
import type { CyclePlace, CycleResult, HuntResult } from '../hunt/result.ts';
import { Machine } from '../machine/machine.ts';
import type { Program } from '../program/ir.ts';
import { DEFAULT_PRINT, type PrintOptions, printFailure } from './check.ts';
import { printStory } from './columns.ts';
import { traceExecution } from './execution.ts';
import type { HuntCycleReport, HuntReport } from './schema.ts';
import type { SourceLines } from './story.ts';
import { alignColumns, plural, printable } from './text.ts';

/** Cycles in the table; the others are in the JSON document. */
const MAX_ROWS = 20;

export function printHunt(file: string, program: Program, results: readonly HuntResult[], source: SourceLines): string {
  const lines: string[] = [];
  for (const [i, result] of results.entries()) {
    lines.push(`${printable(file)} under ${result.model}: ${printVerdict(result)}`);
    // One that SC has already looks the same under every model.
    if (result.how === 'sc' && i > 0) continue;
    const [found] = result.errors;
    if (found !== undefined) {
      lines.push(...printFailure(program, result.how === 'sc' ? 'sc' : result.model, found, source));
      if (result.errors.length > 1) lines.push(`  and ${plural(result.errors.length - 1, 'other error')}`, '');
    }
    lines.push(...printCycles(result.cycles));
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
function cutsOf({ bounds }: HuntResult): readonly string[] {
  return bounds.filter((bound) => !/^\d+ (SC runs|trials)$/.test(bound));
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

function printCycles(cycles: readonly CycleResult[]): string[] {
  const confirmed = cycles.filter((c) => c.confirmed > 0);
  if (confirmed.length === 0) return [];
  const rows = [['#', '', 'confirmed', 'probability', 'cycle (→ program order, ⇢ race)']];
  for (const [i, cycle] of confirmed.slice(0, MAX_ROWS).entries()) {
    rows.push([
      String(i + 1),
      verdictOf(cycle),
      `${cycle.confirmed} of ${cycle.trials}`,
      (cycle.confirmed / cycle.trials).toFixed(2),
      printCycle(cycle.places),
    ]);
    rows.push(['', '', '', '', `schedule: ${cycle.error?.schedule ?? cycle.schedule!}`]);
  }
  const rest = confirmed.length - MAX_ROWS;
  return [
    ...alignColumns(rows.map((row) => row.map(printable))).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${plural(rest, 'other confirmed cycle')} (--json has them all)`] : []),
    '',
  ];
}

/** With the file once, if all of it is in one. */
function printCycle(places: readonly CyclePlace[]): string {
  const files = new Set(places.map(({ location }) => location?.file.split('/').at(-1) ?? ''));
  const isOneFile = files.size === 1;
  const parts = places.map((place, i) => `${printPlace(place, isOneFile)} ${i % 2 === 0 ? '→' : '⇢'}`);
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
  const steps = events.map((name) => trace.events.findIndex((e) => e.event === name && e.kind !== 'update') + 1);
  const threadOf = (name: string): string => name.split('#')[0]!;
  const parts = steps.map((step, i) => {
    const isInThread = threadOf(events[i]!) === threadOf(events[(i + 1) % events.length]!);
    return `${step} ${isInThread ? '→' : '⇢'}`;
  });
  return [
    `${printable(file)} under ${machine.model}: an execution that SC has not got`,
    '',
    ...printStory(trace, { width: width - 2, style }).map((line) => `  ${line}`.trimEnd()),
    '',
    `  cycle: ${parts.join(' ')} ${steps[0]} (→ before in its thread, ⇢ before at its location)`,
    `  schedule: ${schedule}`,
  ].join('\n');
}

export function reportHunt(file: string, program: Program, result: HuntResult): HuntReport {
  const [found, ...others] = result.errors;
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
    ...(found === undefined
      ? {}
      : {
          error: { ...found.error, schedule: found.schedule },
          trace: traceExecution(new Machine(program, result.how === 'sc' ? 'sc' : result.model), found.schedule),
        }),
    ...(others.length > 0 ? { otherErrors: others.map(({ error, schedule }) => ({ ...error, schedule })) } : {}),
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

/**
 * What the suites `sober` and `mon` share: running a row of their tables with the paper's monitors and with ours. The
 * numbers of interleavings, borderline runs and distinct violations are counts; the answers of `robust` are asserted.
 * The paper's numbers are for its own programs, on another machine.
 */
import { printBound } from '../src/explore/bound.ts';
import { modelsWith, type StoreBufferModel } from '../src/models/index.ts';
import { type MonitorName, predicts } from '../src/monitor/monitors.ts';
import { type RobustResult, RobustRun } from '../src/pipelines/robust.ts';
import type { Program } from '../src/program/ir.ts';
import type { ExperimentRow } from './experiments-table.ts';
import { type MonitoredSearch, searchMonitored } from './monitored.ts';
import { loadProgram } from './search.ts';
import type { Measurement } from './suite.ts';

const MODELS: readonly StoreBufferModel[] = modelsWith('monitors');
const OURS: readonly MonitorName[] = ['causal-tso', 'causal-pso'];

export interface MonitorsToCompare {
  readonly published: readonly MonitorName[];
  readonly ours: readonly MonitorName[];
}

/** The answer of `fencepost robust`, with the bounded search of the row or, without bounds, with `optimal`. */
export function runRobust(
  program: Program,
  row: ExperimentRow,
  strategy: 'optimal' | 'bounded',
  monitors: readonly MonitorName[] = OURS,
): readonly RobustResult[] {
  const run = new RobustRun(program, {
    models: MODELS.filter((model) => monitors.some((name) => predicts(name, model))),
    monitors,
    strategy: strategy === 'bounded' && row.preemptions === undefined ? 'exhaustive' : strategy,
    preemptions: row.preemptions ?? 0,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 0,
    keepGoing: false,
  });
  while (!run.advance(1_000_000));
  return run.results;
}

/** Describes what is wrong with the findings of our monitors in the row's search. */
export function unexpected(row: ExperimentRow, results: readonly RobustResult[]): string[] {
  const cut = row.preemptions === undefined ? [] : [`preemptions: ${row.preemptions}`];
  return results.flatMap(({ model, verdict, violations, boundedBy }) => {
    // The locks of lazylist's nodes are initialised while it runs, which monitors do not see under PSO.
    const bounds = boundedBy.filter(({ kind }) => kind !== 'initialisation').map(printBound);
    const expected = row.violations[model];
    const found = violations.length;
    const kind = expected > 0 ? 'violation' : cut.length > 0 ? 'inconclusive' : 'verified';
    return [
      ...(found === expected ? [] : [`${row.name}, ${model}: ${expected} violations expected, but ${found}`]),
      ...(verdict.kind === kind ? [] : [`${row.name}, ${model}: ${kind} expected, but ${verdict.kind}`]),
      ...(bounds.join() === cut.join() ? [] : [`${row.name}, ${model}: stopped by ${bounds.join() || 'nothing'}`]),
    ];
  });
}

export async function measureRow(row: ExperimentRow, { published, ours }: MonitorsToCompare): Promise<Measurement> {
  const program = await loadProgram([row.file], row.defines);
  const plain = searchMonitored(program, row.preemptions, []);
  const theirSearch = searchMonitored(program, row.preemptions, published);
  const ourSearch = searchMonitored(program, row.preemptions, ours);
  const said = runRobust(program, row, 'bounded');
  const wrong = unexpected(row, said);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const results = [...runRobust(program, row, 'bounded', published), ...said];
  const all = [...published, ...ours];
  const borderline = [...theirSearch.borderline, ...ourSearch.borderline];
  const { paper } = row;
  return {
    counts: {
      interleavings: plain.interleavings,
      ...Object.fromEntries(all.map((name, i) => [`borderline ${name}`, borderline[i]!])),
      ...Object.fromEntries(all.map((name) => [`distinct ${name}`, distinct(results, name)])),
      [`first ${published.join()}`]: theirSearch.first,
    },
    rates: {},
    texts: {
      'paper: interleavings': paper.interleavings,
      ...(published.includes('sober') ? { borderline: paper.borderline } : { 'distinct tso pso': paper.violations }),
      seconds: paper.seconds,
      'ours: CPU s': seconds(plain),
      'to the first alarm': theirSearch.first === 0 ? '-' : theirSearch.secondsToFirst.toPrecision(2),
      [`+ ${published.join()}`]: seconds(theirSearch),
      [`+ ${ours.join()}`]: seconds(ourSearch),
    },
  };
}

function distinct(results: readonly RobustResult[], name: MonitorName): number {
  return results.flatMap(({ violations }) => violations).filter(({ monitor }) => monitor === name).length;
}

function seconds(search: MonitoredSearch): string {
  return search.seconds.toPrecision(2);
}

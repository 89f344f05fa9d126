/**
 * How far a search got that does not cover everything: a row per bound, what random runs covered, and what they
 * guarantee.
 */
import type { CheckReport, RoundReport } from '../schema.ts';
import { alignColumns, groupThousands, plural } from '../text.ts';
import { wrap } from './columns.ts';

/** One row per number of preemptions or delays: what the executions with exactly that many add. */
export function printRounds(rounds: readonly RoundReport[] | undefined): string[] {
  if (rounds === undefined || rounds.length < 2) return [];
  const hasBlocked = rounds.some(({ blocked }) => blocked > 0);
  const hasViolations = rounds.some(({ violations }) => violations !== undefined);
  const monitors = rounds[0]!.borderline?.map(({ monitor }) => monitor) ?? [];
  const rows = rounds.map(({ limit, executions, blocked, violations, borderline, seconds }) => [
    String(limit),
    groupThousands(executions),
    ...(hasBlocked ? [groupThousands(blocked)] : []),
    ...(borderline ?? []).map((alarmed) => groupThousands(alarmed.executions)),
    ...(hasViolations ? [groupThousands(violations ?? 0)] : []),
    `${seconds.toFixed(1)} s`,
  ]);
  const header = [
    rounds[0]!.bound,
    'executions',
    ...(hasBlocked ? ['blocked'] : []),
    ...monitors.map((monitor) => (monitors.length === 1 ? 'with alarm' : `alarm by ${monitor}`)),
    ...(hasViolations ? ['new violations'] : []),
    'time',
  ];
  return ['', ...alignColumns([header, ...rows]).map((line) => `  ${line}`), ''];
}

export function printCoverage({ coverage, guarantee }: CheckReport, width: number): string[] {
  const lines: string[] = [];
  if (coverage !== undefined && coverage.runs > 1) {
    const { runs, traces, once } = coverage;
    lines.push(
      `${plural(traces, 'distinct trace')} in ${plural(runs, 'run')}; another run shows a new one with a probability of about ${percent(once / runs)}`,
    );
  }
  if (guarantee !== undefined) {
    const { depth, processes, steps, perRun, inAll } = guarantee;
    const size = `${plural(processes, 'process').replace(/processs$/, 'processes')}, ${plural(steps, 'step')}`;
    lines.push(
      `a bug of depth ${depth} (${size}) is found by each run with a probability of at least ${percent(perRun)}, by all of them together with at least ${percent(inAll)}`,
    );
  }
  return lines.flatMap((line) => wrap(`  ${line}`, width, '    '));
}

/** `12 %`, `0.034 %`; a probability below 1 is never rounded to 100 %. */
function percent(probability: number): string {
  if (probability === 0 || probability === 1) return `${probability * 100} %`;
  const hundredths = probability * 100;
  const text = hundredths >= 10 ? hundredths.toFixed(0) : hundredths.toPrecision(2);
  return `${text === '100' ? '> 99' : Number(text)} %`;
}

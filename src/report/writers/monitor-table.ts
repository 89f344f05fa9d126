/** What several monitors found, side by side: a column per monitor, a row per pair of places, and their statistics. */
import type { RobustReport, SourcePlace, StatisticsReport, ViolationReport } from '../schema.ts';
import { alignColumns, groupThousands, plural, printable } from '../text.ts';

/** `pairs`: the violations grouped by pair of places, numbered as in the text. */
export function printMonitorTable(result: RobustReport, pairs: readonly (readonly ViolationReport[])[]): string[] {
  const { monitors, statistics = [], executions } = result;
  const of = (row: (found: StatisticsReport) => string): string[] =>
    monitors.map((monitor) => {
      const found = statistics.find((s) => s.monitor === monitor);
      return found === undefined ? '–' : row(found);
    });
  const labels = labelsOf(pairs.map(([violation]) => violation!));
  const rows = [
    ['', ...monitors],
    [`alarm in executions, of ${groupThousands(executions)}`, ...of(({ borderline }) => groupThousands(borderline))],
    ...(statistics.some(({ first }) => first !== undefined)
      ? [
          ['first alarm in execution', ...of(({ first }) => groupThousandsOf(first?.execution))],
          ['first alarm after', ...of(({ first }) => (first === undefined ? '–' : `${first.seconds.toFixed(2)} s`))],
        ]
      : []),
    ...pairs.map((same, i) => [
      `${i + 1}. ${labels[i]}`,
      ...monitors.map((monitor) => (same.some((v) => v.monitor === monitor) ? 'yes' : '–')),
    ]),
  ];
  return ['', ...alignColumns(rows).map((line) => `  ${line}`), ''];
}

/** The same for a single monitor, in one line. */
export function printStatistics({ executions, statistics = [] }: RobustReport): string[] {
  const [{ borderline, first } = { borderline: 0, first: undefined }] = statistics;
  if (first === undefined) return [];
  return [
    `  alarm in ${groupThousands(borderline)} of ${plural(executions, 'execution')}, ` +
      `first in execution ${groupThousands(first.execution)} after ${first.seconds.toFixed(2)} s`,
  ];
}

function groupThousandsOf(count: number | undefined): string {
  return count === undefined ? '–' : groupThousands(count);
}

/** Labels have columns only where lines alone do not tell the pairs apart. */
function labelsOf(pairs: readonly ViolationReport[]): readonly string[] {
  const label = ({ event, write }: ViolationReport, hasColumns: boolean): string =>
    `${nameOf(event, hasColumns)} before ${nameOf(write, hasColumns)}`;
  const short = pairs.map((pair) => label(pair, false));
  return new Set(short).size === short.length ? short : pairs.map((pair) => label(pair, true));
}

function nameOf(at: SourcePlace | null, hasColumns: boolean): string {
  if (at === null) return 'unknown';
  return `${printable(at.file.split('/').at(-1)!)}:${at.line}${hasColumns && at.column > 0 ? `:${at.column}` : ''}`;
}

/** One row per number of preemptions: what strategy `bounded` found with exactly that many. */
import type { RoundReport } from '../schema.ts';
import { alignColumns, groupThousands } from '../text.ts';

export function printRounds(rounds: readonly RoundReport[] | undefined): string[] {
  if (rounds === undefined || rounds.length < 2) return [];
  const hasBlocked = rounds.some(({ blocked }) => blocked > 0);
  const hasViolations = rounds.some(({ violations }) => violations !== undefined);
  const rows = rounds.map(({ preemptions, executions, blocked, violations, seconds }) => [
    String(preemptions),
    groupThousands(executions),
    ...(hasBlocked ? [groupThousands(blocked)] : []),
    ...(hasViolations ? [groupThousands(violations ?? 0)] : []),
    `${seconds.toFixed(1)} s`,
  ]);
  const header = [
    'preemptions',
    'executions',
    ...(hasBlocked ? ['blocked'] : []),
    ...(hasViolations ? ['new violations'] : []),
    'time',
  ];
  return ['', ...alignColumns([header, ...rows]).map((line) => `  ${line}`), ''];
}

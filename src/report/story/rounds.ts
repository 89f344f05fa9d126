/** What each number of preemptions or delays added to a search, for a report. */
import type { RobustRound } from '../../pipelines/robust.ts';
import type { Round } from '../../pipelines/rounds.ts';
import type { RoundReport } from '../schema.ts';

export function reportRounds(rounds: readonly (Round & Partial<RobustRound>)[] | undefined): {
  readonly byBound?: readonly RoundReport[];
} {
  if (rounds === undefined) return {};
  return {
    byBound: rounds.map(({ bound, limit, executions, blocked, violations, borderline, seconds }) => ({
      bound,
      limit,
      executions,
      blocked,
      ...(violations === undefined ? {} : { violations }),
      ...(borderline === undefined ? {} : { borderline }),
      seconds: Math.round(seconds * 1000) / 1000,
    })),
  };
}

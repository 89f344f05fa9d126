/** What each number of preemptions added to a search, for a report. */
import type { Round } from '../../pipelines/rounds.ts';
import type { RoundReport } from '../schema.ts';

export function reportRounds(rounds: readonly (Round & { readonly violations?: number })[] | undefined): {
  readonly rounds?: readonly RoundReport[];
} {
  if (rounds === undefined) return {};
  return {
    rounds: rounds.map(({ preemptions, executions, blocked, violations, seconds }) => ({
      preemptions,
      executions,
      blocked,
      ...(violations === undefined ? {} : { violations }),
      seconds: Math.round(seconds * 1000) / 1000,
    })),
  };
}

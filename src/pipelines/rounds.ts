/** What each bound on preemptions adds to a search: the executions with exactly that many. */
import type { Outcome } from '../machine/machine.ts';

export interface Round {
  readonly preemptions: number;
  readonly executions: number;
  readonly blocked: number;
  readonly seconds: number;
  /** Violations that monitors had found up to its end. */
  readonly found: number;
}

export class Rounds {
  private readonly rounds: { executions: number; blocked: number; found: number; end: number }[] = [];
  private readonly started = performance.now();

  /** Call at the end of every execution, with the number of violations found so far. */
  conclude(preemptions: number, outcome: Outcome, found: number): void {
    this.rounds[preemptions] ??= { executions: 0, blocked: 0, found: 0, end: 0 };
    const round = this.rounds[preemptions];
    if (outcome === 'blocked') round.blocked++;
    else if (outcome !== 'limit') round.executions++;
    round.found = found;
    round.end = performance.now();
  }

  get list(): readonly Round[] {
    return this.rounds.map(({ end, ...round }, preemptions) => {
      const before = this.rounds[preemptions - 1]?.end ?? this.started;
      return { ...round, preemptions, seconds: (end - before) / 1000 };
    });
  }
}

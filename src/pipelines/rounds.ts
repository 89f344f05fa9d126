/**
 * What each bound on preemptions or delays adds to a search: the executions with exactly that many.
 *
 * No `Watcher`: a search in rounds is neither divided nor saved (`ModelSearch.divisible`), and its rounds would not add
 * up. `found` counts distinct violations, of which two parts may have the same.
 */
import type { Iterative } from '../explore/iterative.ts';
import type { Outcome } from '../machine/machine.ts';
import type { MonitorStatistics } from './borderline.ts';

export interface Round {
  readonly bound: Iterative['kind'];
  readonly limit: number;
  readonly executions: number;
  readonly blocked: number;
  readonly seconds: number;
  /** Violations that monitors had found up to its end. */
  readonly found: number;
  /** What monitors had counted up to its end. */
  readonly statistics: readonly MonitorStatistics[];
}

interface Counting {
  readonly limit: number;
  executions: number;
  blocked: number;
  found: number;
  statistics: readonly MonitorStatistics[];
  end: number;
}

export class Rounds {
  private readonly strategy: Iterative;
  private readonly rounds: Counting[] = [];
  private readonly started = performance.now();

  constructor(strategy: Iterative) {
    this.strategy = strategy;
  }

  /** To be called at the end of every execution, with the number of violations and the monitors' statistics so far. */
  conclude(outcome: Outcome, found: number, statistics: readonly MonitorStatistics[]): void {
    const limit = this.strategy.round;
    let round = this.rounds.at(-1);
    if (round?.limit !== limit) {
      round = { limit, executions: 0, blocked: 0, found: 0, statistics, end: 0 };
      this.rounds.push(round);
    }
    if (outcome === 'blocked') round.blocked++;
    else if (outcome !== 'limit') round.executions++;
    round.found = found;
    round.statistics = statistics;
    round.end = performance.now();
  }

  get list(): readonly Round[] {
    return this.rounds.map(({ end, ...round }, i) => {
      const before = this.rounds[i - 1]?.end ?? this.started;
      return { ...round, bound: this.strategy.kind, seconds: (end - before) / 1000 };
    });
  }
}

/** How many executions a search has seen, by how they ended, and how many steps it took. */

/** Blocked executions, by the first of these causes that applies. */
export interface BlockedCounts {
  /** An assumption does not hold. */
  readonly assume: number;
  /** Our library has made a choice that adds nothing: another execution covers it. */
  readonly covered: number;
  /** A loop has reached its iteration bound. */
  readonly unroll: number;
  /** A thread waits in a loop for a value that comes too late in this execution. */
  readonly spin: number;
}

const CAUSES = ['assume', 'covered', 'unroll', 'spin'] as const;

export interface SavedCounts {
  readonly complete: number;
  readonly erroneous: number;
  readonly abandoned: number;
  readonly steps: number;
  readonly blockedBy: BlockedCounts;
}

export class Counts {
  complete = 0;
  erroneous = 0;
  /** Executions abandoned because the strategy knew that nothing new lay ahead. */
  abandoned = 0;
  steps = 0;
  readonly blockedBy = { assume: 0, covered: 0, unroll: 0, spin: 0 };

  get blocked(): number {
    const { assume, covered, unroll, spin } = this.blockedBy;
    return assume + covered + unroll + spin;
  }

  /** Executions that ran to their own end. */
  get ended(): number {
    return this.complete + this.erroneous + this.blocked;
  }

  save(): SavedCounts {
    const { complete, erroneous, abandoned, steps } = this;
    return { complete, erroneous, abandoned, steps, blockedBy: { ...this.blockedBy } };
  }

  merge(other: SavedCounts): void {
    this.complete += other.complete;
    this.erroneous += other.erroneous;
    this.abandoned += other.abandoned;
    this.steps += other.steps;
    for (const cause of CAUSES) this.blockedBy[cause] += other.blockedBy[cause];
  }
}

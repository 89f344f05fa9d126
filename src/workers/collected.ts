/** What the workers have found together. */
import { Tally } from '../explore/tally.ts';
import type { PartResult, SavedTogether } from '../pipelines/together.ts';

/**
 * After this many jobs, they must have had `SMALL_JOB` executions on average: otherwise handing them out takes longer
 * than doing them.
 */
const FIRST_JOBS = 60;
const SMALL_JOB = 20;

export class Collected<Id> {
  /** What was found before, and by each worker. */
  private readonly before: readonly PartResult[];
  private readonly parts = new Map<Id, PartResult>();
  /** By worker: the number of its newest result. */
  private readonly newest = new Map<Id, number>();
  /** The number of jobs, or parts of jobs, that have been handed over, and of their executions. */
  jobs: number;
  executions = 0;
  /** The numbers when measuring the size of jobs began. */
  private from = { jobs: 0, executions: 0 };

  constructor(before?: Pick<SavedTogether, 'results' | 'jobs'>) {
    this.before = before?.results ?? [];
    this.jobs = before?.jobs ?? 0;
    for (const part of this.before) this.count(part);
  }

  get results(): readonly PartResult[] {
    return [...this.before, ...this.parts.values()];
  }

  /** Whether jobs are so small that a search alone is faster. */
  get areSmall(): boolean {
    const jobs = this.jobs - this.from.jobs;
    return jobs >= FIRST_JOBS && this.executions - this.from.executions < SMALL_JOB * jobs;
  }

  /** Begins measuring the size of jobs again. */
  lookAgain(): void {
    const { jobs, executions } = this;
    this.from = { jobs, executions };
  }

  /**
   * `part`: the tally is that of one job; everything else covers all jobs of the worker so far. `number` counts the
   * worker's results, which may arrive in another order.
   */
  add(worker: Id, part: PartResult, number: number = this.jobs): void {
    const tally = new Tally();
    const before = this.parts.get(worker);
    if (before !== undefined) tally.merge(before.tally);
    tally.merge(part.tally);
    const isNewest = before === undefined || number > this.newest.get(worker)!;
    this.parts.set(worker, { ...(isNewest ? part : before), tally: tally.save() });
    if (isNewest) this.newest.set(worker, number);
    this.jobs++;
    this.count(part);
  }

  private count({ tally }: PartResult): void {
    const { complete, erroneous, blockedBy } = tally.counts;
    this.executions += complete + erroneous + blockedBy.assume + blockedBy.unroll + blockedBy.spin;
  }
}

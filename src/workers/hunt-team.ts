/** Threads that run the trials of a hunt. */
import type { HuntHelpers, HuntTogether, HuntWork, TrialsAnswer, TrialsJob } from '../pipelines/hunt/together.ts';
import { Pool } from './pool.ts';

/** In seconds: how long a hunt runs alone first. */
const AFTER = 3;

export function huntHelpersOf(threads: number, after: number = AFTER): HuntHelpers | undefined {
  return threads < 2 ? undefined : { after, begin: (work) => new HuntTeam(work, threads) };
}

class HuntTeam implements HuntTogether {
  private readonly pool: Pool<'hunt'>;
  private jobs: TrialsJob[] = [];
  private hear: (job: TrialsJob, answer: TrialsAnswer) => void = () => {};

  constructor(work: HuntWork, threads: number) {
    this.pool = new Pool('hunt', work, threads, {
      next: () => this.jobs.shift(),
      hear: (job, answer) => this.hear(job, answer),
    });
  }

  get hasFailed(): boolean {
    return this.pool.why !== undefined;
  }

  get isIdle(): boolean {
    return this.jobs.length === 0 && this.pool.busy === 0;
  }

  do(jobs: readonly TrialsJob[], hear: (job: TrialsJob, answer: TrialsAnswer) => void): void {
    this.jobs = [...jobs];
    this.hear = hear;
    this.pool.handOut();
  }

  stopJobs(): void {
    this.jobs = [];
    this.pool.stopJobs();
  }

  end(): void {
    this.jobs = [];
    this.pool.end();
  }

  wait(): Promise<void> {
    return this.pool.wait();
  }
}

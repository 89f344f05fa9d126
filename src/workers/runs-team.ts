/** Threads that make random runs ([shared-runs.ts](../pipelines/shared-runs.ts)). */
import type { FoundError } from '../explore/explore.ts';
import type { KnownOfRuns } from '../explore/numbered-runs.ts';
import type { RunsJob, RunsPart, RunsTogether } from '../pipelines/shared-runs.ts';
import type { SharedWork } from '../pipelines/together.ts';
import { Pool } from './pool.ts';
import type { NumberedJob, TimedRuns } from './pool-messages.ts';

/** In milliseconds: how long a job should take. Then the number of runs in the first jobs, and the most in any job. */
const SLICE = 100;
const FIRST_RUNS = 16;
const MOST_RUNS = 5000;

export class RunsTeam implements RunsTogether {
  private readonly pool: Pool<'runs'>;
  private readonly end: number;
  private next: number;
  private known: KnownOfRuns;
  private size = FIRST_RUNS;
  /** How often the runs have begun again. Answers to earlier jobs do not count. */
  private time = 0;
  /** Parts by their first run. */
  private readonly parts = new Map<number, RunsPart>();

  constructor(work: SharedWork, left: RunsJob, threads: number) {
    this.next = left.from;
    this.end = left.to;
    this.known = left.known;
    this.pool = new Pool('runs', work, threads, {
      next: () => this.nextJob(),
      hear: (job, answer) => this.hear(job, answer),
    });
    this.pool.handOut();
  }

  private nextJob(): NumberedJob | undefined {
    const from = this.next;
    if (from === this.end) return undefined;
    this.next = Math.min(this.end, from + this.size);
    return { from, to: this.next, known: this.known, time: this.time };
  }

  private hear({ from, to, time }: NumberedJob, { part, milliseconds }: TimedRuns): void {
    if (time !== this.time) return;
    this.parts.set(from, part);
    const { steps, processes } = part.after;
    // The best guess for later runs.
    this.known = { steps: Math.max(this.known.steps, steps), processes: Math.max(this.known.processes, processes) };
    const size = (SLICE / Math.max(1, milliseconds)) * (to - from);
    this.size = Math.max(1, Math.min(MOST_RUNS, 2 * this.size, Math.round(size)));
  }

  get hasFailed(): boolean {
    return this.pool.why !== undefined;
  }

  get executions(): number {
    let count = 0;
    for (const { quiet } of this.parts.values()) {
      for (const { counts } of quiet) count += counts.complete + counts.erroneous;
    }
    return count;
  }

  get errors(): readonly FoundError[] {
    return [...this.parts].sort(([a], [b]) => a - b).flatMap(([, { errors }]) => errors);
  }

  take(from: number): RunsPart | undefined {
    const part = this.parts.get(from);
    this.parts.delete(from);
    return part;
  }

  again(from: number, known: KnownOfRuns): void {
    this.time++;
    this.parts.clear();
    this.next = from;
    this.known = known;
    this.pool.handOut();
  }

  stop(): void {
    this.pool.end();
  }

  wait(): Promise<void> {
    return this.pool.wait();
  }
}

/** Litmus tests that threads run ahead of time, while the results are reported in the order of the files. */
import type { Stop } from '../explore/bound.ts';
import { type LitmusResult, LitmusRun } from '../pipelines/litmus.ts';
import { Pool } from './pool.ts';
import type { LitmusAnswer, LitmusJob, LitmusSetup } from './pool-messages.ts';

/** In seconds: fewer tests are not worth the threads. */
const AFTER = 2;

export type TestJob = Omit<LitmusJob, 'number'>;

interface TestRun {
  readonly result: LitmusResult;
  readonly seconds: number;
}

/** One test under its models, to be advanced step by step. */
interface TestTask {
  advance(steps: number): boolean;
  stop(why: Stop): void;
  wait(): Promise<void> | undefined;
  /** Once it has ended. */
  readonly runs: readonly TestRun[];
  /** Its progress in words; `states` puts a number of states into words. */
  progress(states: (count: number) => string): string;
}

export class TestsAhead {
  private readonly setup: LitmusSetup;
  private readonly threads: number;
  private readonly count: number;
  private readonly jobOf: (number: number) => TestJob | undefined;
  private readonly after: number;
  private readonly started = performance.now();
  private pool: Pool<'litmus'> | undefined;
  private isStopped = false;
  /** Files before this one have been given out, or need not be. */
  private next = 0;
  private readonly given = new Set<number>();
  private readonly answers = new Map<number, LitmusAnswer>();

  /** `jobOf`: the job of a file, if it has a test. With `atOnce`, threads start with the first test. */
  constructor(
    setup: LitmusSetup,
    threads: number,
    tests: { readonly count: number; readonly jobOf: (number: number) => TestJob | undefined },
    atOnce: boolean,
  ) {
    this.setup = setup;
    this.threads = threads;
    this.count = tests.count;
    this.jobOf = tests.jobOf;
    this.after = atOnce ? 0 : AFTER;
  }

  /** The test of a file. Ask in the order of files. */
  take(number: number, job: TestJob): TestTask {
    this.beginAfter(number);
    return this.given.has(number) ? this.awaited(number, job) : this.alone(number, job);
  }

  /** Starts threads for the tests from `from` on, if it is time. */
  private beginAfter(from: number): void {
    if (this.pool !== undefined || this.isStopped || this.threads < 2 || this.count - from < 2) return;
    if (performance.now() - this.started < this.after * 1000) return;
    this.next = from;
    this.pool = new Pool('litmus', this.setup, Math.min(this.threads, this.count - from), {
      next: () => this.nextJob(),
      hear: ({ number }, answer) => this.answers.set(number, answer),
    });
    this.pool.handOut();
  }

  private nextJob(): LitmusJob | undefined {
    while (this.next < this.count) {
      const number = this.next++;
      const job = this.jobOf(number);
      if (job === undefined) continue;
      this.given.add(number);
      return { number, ...job };
    }
    return undefined;
  }

  private alone(number: number, { test, models }: TestJob): TestTask {
    const runs: TestRun[] = [];
    const left = [...models];
    const { maxStates } = this.setup;
    let run: LitmusRun | undefined;
    let started = 0;
    let stopped: Stop | undefined;
    const begin = (): LitmusRun => {
      started = performance.now();
      return new LitmusRun(test, left[0]!, maxStates, this.setup);
    };
    return {
      runs,
      advance: (steps) => {
        this.beginAfter(number + 1);
        while (left.length > 0) {
          run ??= begin();
          if (stopped !== undefined) run.stop(stopped);
          if (!run.advance(steps)) return false;
          runs.push({ result: run.result, seconds: (performance.now() - started) / 1000 });
          left.shift();
          run = undefined;
        }
        return true;
      },
      stop: (why) => {
        stopped = why;
        this.stop();
      },
      wait: () => undefined,
      progress: (states) => `${left[0] ?? ''}, ${states(run?.visitedStates ?? 0)}`,
    };
  }

  private awaited(number: number, job: TestJob): TestTask {
    const pool = this.pool!;
    let runs: readonly TestRun[] = [];
    let own: TestTask | undefined;
    return {
      get runs() {
        return own?.runs ?? runs;
      },
      advance: (steps) => {
        const answer = this.answers.get(number);
        if (answer !== undefined) {
          runs = answer.map(({ result, seconds }) => ({ result: { ...result, test: job.test }, seconds }));
          this.answers.delete(number);
          return true;
        }
        // The failure of a thread says nothing about the test, so the test runs here.
        if (pool.why !== undefined) own ??= this.alone(number, job);
        return own?.advance(steps) ?? false;
      },
      stop: (why) => {
        this.stop();
        own?.stop(why);
      },
      wait: () => (own === undefined ? pool.wait() : undefined),
      progress: (states) => own?.progress(states) ?? `${pool.busy} ${pool.busy === 1 ? 'thread' : 'threads'}`,
    };
  }

  private stop(): void {
    this.isStopped = true;
    this.pool?.stopJobs();
  }

  end(): void {
    this.pool?.end();
  }
}

/**
 * Threads that search together. The team has the [keeper](../explore/frontier/keeper.ts); workers hold no state that
 * matters if they die. The team's own thread is one of them: its code is already optimised, whereas a new thread needs
 * a second or two to warm up.
 */
import { availableParallelism } from 'node:os';
import { type HandedOut, Keeper } from '../explore/frontier/keeper.ts';
import type { Helpers } from '../pipelines/helpers.ts';
import {
  hasListOfJobs,
  type PartResult,
  type SavedTogether,
  type SharedWork,
  type Together,
} from '../pipelines/together.ts';
import { Bell } from './bell.ts';
import { Collected } from './collected.ts';
import { type DoneJob, JobRunner } from './job-runner.ts';
import { ASKED, executionsWord, IDLE, type Question, wordsFor } from './messages.ts';
import { ModelsTeam } from './models-team.ts';
import { now, Pace } from './pace.ts';
import { RunsTeam } from './runs-team.ts';
import { WorkerThread } from './thread.ts';
import { Turns, type WatchedPace } from './turns.ts';

/** Parts per thread, so that no thread waits long for the last part. */
const PARTS = 8;
/**
 * In milliseconds: how long the team's own thread works before it answers workers, which wait for it; and before it
 * handles other events.
 */
const SHORT_PIECE = 0.1;
const LONG_PIECE = 10;
const NOTHING_YET: Omit<SavedTogether, 'frontier'> = { results: [], jobs: 0 };

/**
 * How many threads search: as many as were asked for, or one per core. More threads than cores find nothing sooner, and
 * each needs a second or more of CPU time to warm up.
 */
export function threadsOf({ jobs }: { readonly jobs?: number | undefined }): number {
  const cores = availableParallelism();
  return Math.min(jobs ?? cores, Math.max(2, cores));
}

/** `after`: how many seconds a search runs alone first. */
export function helpersOf(workers: number, after = 2): Helpers | undefined {
  if (workers < 2) return undefined;
  return { ...resumingHelpers(workers), after };
}

/**
 * Helpers for a search that was divided before, even with a single worker. They never divide a search that runs alone.
 */
export function resumingHelpers(workers: number): Helpers {
  return {
    after: Number.POSITIVE_INFINITY,
    begin: (work, left, pace) =>
      new Team(work, workers, Keeper.of(left, hasListOfJobs(work)), NOTHING_YET, new Pace(now(0), pace)),
    parts: PARTS * workers,
    beginParts: (work, parts) => new Team(work, workers, Keeper.inParts(parts), { ...NOTHING_YET, isAnew: true }),
    beginRuns: (work, left) => new RunsTeam(work, left, workers),
    // This thread searches, too.
    beginModels: (work, jobs) => new ModelsTeam(work, jobs, workers - 1),
    resume: (work, saved) => new Team(work, workers, Keeper.restore(saved.frontier), saved),
  };
}

export class Team implements Together {
  state: Together['state'] = 'running';
  private readonly found: Collected<number>;
  /** Why the team failed, if a worker could not continue. */
  why: string | undefined;
  private readonly keeper: Keeper;
  private readonly words: Int32Array;
  private readonly work: SharedWork;
  /** The first worker is this thread. */
  private readonly workers: { readonly thread?: WorkerThread; does: 'start' | 'nothing' | 'job' }[] = [
    { does: 'nothing' },
  ];
  private runner: JobRunner | undefined;
  private readonly bell = new Bell();
  /** If one worker continues alone, it is this thread. */
  readonly turns: Turns;
  readonly isAnew: boolean;

  constructor(
    work: SharedWork,
    workers: number,
    keeper: Keeper,
    before: Omit<SavedTogether, 'frontier'> = NOTHING_YET,
    pace: WatchedPace = new Pace(now(0)),
  ) {
    this.keeper = keeper;
    this.isAnew = before.isAnew === true;
    this.found = new Collected(before);
    this.words = new Int32Array(new SharedArrayBuffer(4 * wordsFor(workers)));
    this.work = work;
    this.turns = new Turns(work, this.isAnew, keeper, this.found, pace);
    if (workers === 1) this.merge();
    for (let index = 1; index < workers; index++) this.hire(work, index);
    this.handOut();
  }

  /** Proposals so far, and how many were appended. */
  get proposals(): { readonly proposed: number; readonly appended: number } {
    const { proposed, appended } = this.keeper;
    return { proposed, appended };
  }

  private hire(work: SharedWork, index: number): void {
    const thread = new WorkerThread(work, this.words, index, {
      hear: (question) => this.hear(index, question),
      fail: (why) => this.fail(why),
    });
    this.workers.push({ thread, does: 'start' });
  }

  private hear(index: number, question: Question): void {
    if (this.state === 'running') this.trying(() => this.reply(index, question));
  }

  private reply(index: number, question: Question): void {
    switch (question.ask) {
      case 'give up':
        return this.fail(question.why);
      case 'append':
        return this.answer(index, this.keeper.propose(question.node, question.known, question.actions));
      case 'work':
        this.takeBack(index, question.done);
    }
  }

  /** A worker is idle, and may have done part of a job. */
  private takeBack(index: number, done: DoneJob | undefined): void {
    this.workers[index]!.does = 'nothing';
    if (done !== undefined) {
      const { id, left, part } = done;
      this.keeper.handOver(id, left, this.turns.mode === 'together' && this.isHungry());
      this.found.add(index, part);
      Atomics.store(this.words, executionsWord(index), 0);
      if (this.found.areSmall && !this.keeper.isList) this.goOnAlone('its parts are too small');
    }
    this.handOut();
  }

  private goOnAlone(why: string): void {
    const change = this.turns.beginMerge();
    if (change === 'give up') this.fail(why);
    if (change !== 'hand over') return;
    // Makes all workers hand over what they have.
    Atomics.store(this.words, IDLE, 1);
    this.handOverHere();
  }

  private handOverHere(): void {
    if (this.workers[0]!.does === 'job') this.trying(() => this.takeBack(0, this.runner!.handOver()));
  }

  /** Call when no worker has a job. */
  private merge(): boolean {
    return this.turns.merge(now(this.executions), this.workers.length > 1);
  }

  private readonly isHungry = (): boolean => Atomics.load(this.words, IDLE) > 0;

  get results(): readonly PartResult[] {
    return this.found.results;
  }

  save(): SavedTogether {
    if (this.state === 'running') this.handOverHere();
    const { keeper, results, found, isAnew } = this;
    return { frontier: keeper.save(), results, jobs: found.jobs, ...(isAnew ? { isAnew } : {}) };
  }

  /** Gives jobs to idle workers. */
  private handOut(): void {
    const { keeper, workers } = this;
    if (this.state !== 'running') return;
    if (keeper.isDone) return this.end('done');
    if (this.turns.mode === 'merging') {
      if (workers.some(({ does }) => does === 'job')) return;
      if (!this.merge()) return this.fail('its parts are too small');
    }
    for (const [index, one] of workers.entries()) {
      if (this.turns.mode === 'alone' && index > 0) break;
      const id = one.does === 'nothing' ? keeper.largest : undefined;
      if (id === undefined) continue;
      one.does = 'job';
      if (one.thread === undefined) this.begin(keeper.take(id));
      else this.answer(index, keeper.take(id));
    }
    const idle = this.turns.mode === 'alone' ? 0 : workers.filter(({ does }) => does === 'nothing').length;
    Atomics.store(this.words, IDLE, idle);
  }

  private answer(index: number, answer: unknown): void {
    this.workers[index]!.thread!.answer(answer);
  }

  /** A job for this thread. */
  private begin(handed: HandedOut): void {
    this.trying(() => {
      this.runner ??= new JobRunner(this.work, this.keeper, SHORT_PIECE);
      this.runner.workAlone(this.turns.mode === 'alone');
      this.runner.take(handed);
      this.bell.ring();
    });
  }

  /** Works in this thread for a short time. */
  private workHere(runner: JobRunner): void {
    const until = performance.now() + LONG_PIECE;
    this.trying(() => {
      do {
        const done = runner.advance(this.isHungry);
        if (done !== undefined) this.takeBack(0, done);
        if (Atomics.load(this.words, ASKED) > 0) for (const { thread } of [...this.workers]) thread?.listen();
      } while (this.state === 'running' && this.workers[0]!.does === 'job' && performance.now() < until);
    });
    Atomics.store(this.words, executionsWord(0), this.workers[0]?.does === 'job' ? runner.executions : 0);
  }

  private trying(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.fail(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    }
  }

  private fail(why: string): void {
    if (this.state !== 'running') return;
    this.why = why;
    this.end('failed');
  }

  private end(state: 'done' | 'failed'): void {
    this.state = state;
    this.stop();
    this.bell.ring();
  }

  get executions(): number {
    let running = 0;
    for (const index of this.workers.keys()) running += Atomics.load(this.words, executionsWord(index));
    return this.found.executions + running;
  }

  /** What this thread has done counts; what other threads have done since they last handed over does not. */
  stop(): void {
    if (this.state === 'running') this.handOverHere();
    if (this.state === 'running') this.state = 'failed';
    for (const { thread } of this.workers.splice(0)) thread?.stop();
    this.runner = undefined;
  }

  private watchPace(): void {
    if (this.workers.length < 2) return;
    const change = this.turns.watch(now(this.executions));
    if (change === 'merge') this.goOnAlone('its parts have become too small');
    if (change !== 'divide') return;
    Atomics.store(this.words, IDLE, 1);
    this.handOverHere();
  }

  async wait(): Promise<void> {
    const { runner } = this;
    if (this.state !== 'running') return;
    if (runner === undefined || this.workers[0]!.does !== 'job') return this.bell.wait();
    this.workHere(runner);
    this.watchPace();
    // Lets messages and other events be handled.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

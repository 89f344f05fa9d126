/**
 * Threads that search together. The team has the [keeper](../explore/frontier/keeper.ts); workers have nothing that would be missed. One of them is the
 * thread of the team itself, which is warm: a thread that starts takes a second or two to compile the engine.
 */
import { availableParallelism } from 'node:os';
import { type HandedOut, Keeper } from '../explore/frontier/keeper.ts';
import type { Helpers } from '../pipelines/helpers.ts';
import type { PartResult, SavedTogether, SharedWork, Together } from '../pipelines/together.ts';
import { Bell } from './bell.ts';
import { Collected } from './collected.ts';
import { type DoneJob, JobRunner } from './job-runner.ts';
import { executionsWord, IDLE, type Question, wordsFor } from './messages.ts';
import { ModelsTeam } from './models-team.ts';
import { cpuSeconds, Pace } from './pace.ts';
import { RunsTeam } from './runs-team.ts';
import { WorkerThread } from './thread.ts';

/** For each thread, so that nobody waits long for the last one. */
const PARTS = 8;
/** Of the thread of the team, in milliseconds: others wait for it when they ask something. */
const SHORT_PIECE = 1;
const NOTHING_YET: Omit<SavedTogether, 'frontier'> = { results: [], jobs: 0 };

/**
 * How many threads search: as many as were asked for, or one for each core. More than there are cores find nothing sooner, and each takes
 * a second or more of CPU time to become fast.
 */
export function threadsOf({ jobs }: { readonly jobs?: number | undefined }): number {
  const cores = availableParallelism();
  return Math.min(jobs ?? cores, Math.max(2, cores));
}

/** `after`: how many seconds a search runs alone. */
export function helpersOf(workers: number, after = 2): Helpers | undefined {
  if (workers < 2) return undefined;
  return { ...resumingHelpers(workers), after };
}

/** Helpers for a search that others have begun, even if there is only one worker; a search alone is never divided. */
export function resumingHelpers(workers: number): Helpers {
  return {
    after: Number.POSITIVE_INFINITY,
    begin: (work, left) => new Team(work, workers, Keeper.of(left)),
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
  /** Why it failed, if a worker could not go on. */
  why: string | undefined;
  private readonly keeper: Keeper;
  private readonly words: Int32Array;
  private readonly work: SharedWork;
  /** The first one is this thread. */
  private readonly workers: { readonly thread?: WorkerThread; isIdle: boolean }[] = [{ isIdle: true }];
  private runner: JobRunner | undefined;
  private readonly bell = new Bell();
  private readonly pace = new Pace(cpuSeconds());

  readonly isAnew: boolean;

  constructor(
    work: SharedWork,
    workers: number,
    keeper: Keeper,
    before: Omit<SavedTogether, 'frontier'> = NOTHING_YET,
  ) {
    this.keeper = keeper;
    this.isAnew = before.isAnew === true;
    this.found = new Collected(before);
    this.words = new Int32Array(new SharedArrayBuffer(4 * wordsFor(workers)));
    this.work = work;
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
    this.workers.push({ thread, isIdle: false });
  }

  private hear(index: number, question: Question): void {
    if (this.state !== 'running') return;
    switch (question.ask) {
      case 'give up':
        return this.fail(question.why);
      case 'append':
        return this.answer(index, this.keeper.propose(question.node, question.known, question.actions));
      case 'work':
        this.takeBack(index, question.done);
    }
  }

  /** A worker has nothing to do, and has perhaps done something. */
  private takeBack(index: number, done: DoneJob | undefined): void {
    if (done !== undefined) {
      const { id, left, part } = done;
      this.keeper.handOver(id, left, this.isHungry());
      this.found.add(index, part);
      if (this.found.areSmall) return this.fail('its parts are too small');
      Atomics.store(this.words, executionsWord(index), 0);
    }
    this.workers[index]!.isIdle = true;
    this.handOut();
  }

  private readonly isHungry = (): boolean => Atomics.load(this.words, IDLE) > 0;

  get results(): readonly PartResult[] {
    return this.found.results;
  }

  save(): SavedTogether {
    const { keeper, results, found, isAnew } = this;
    return { frontier: keeper.save(), results, jobs: found.jobs, ...(isAnew ? { isAnew } : {}) };
  }

  /** Gives work to those who have none. */
  private handOut(): void {
    const { keeper, workers } = this;
    if (keeper.isDone) return this.end('done');
    for (const [index, one] of workers.entries()) {
      const id = one.isIdle ? keeper.largest : undefined;
      if (id === undefined) continue;
      one.isIdle = false;
      if (one.thread === undefined) this.begin(keeper.take(id));
      else this.answer(index, keeper.take(id));
    }
    Atomics.store(this.words, IDLE, workers.filter(({ isIdle }) => isIdle).length);
  }

  private answer(index: number, answer: unknown): void {
    this.workers[index]!.thread!.answer(answer);
  }

  /** A job for this thread. */
  private begin(handed: HandedOut): void {
    this.trying(() => {
      this.runner ??= new JobRunner(this.work, this.keeper, SHORT_PIECE);
      this.runner.take(handed);
    });
  }

  /** Works in this thread, for a moment. */
  private workHere(runner: JobRunner): void {
    this.trying(() => {
      const done = runner.advance(this.isHungry);
      Atomics.store(this.words, executionsWord(0), runner.executions);
      if (done !== undefined) this.takeBack(0, done);
    });
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

  stop(): void {
    if (this.state === 'running') this.state = 'failed';
    for (const { thread } of this.workers.splice(0)) thread?.stop();
    this.runner = undefined;
  }

  async wait(): Promise<void> {
    const { runner } = this;
    if (this.state !== 'running') return;
    if (runner === undefined || this.workers[0]!.isIdle) return this.bell.wait();
    this.workHere(runner);
    if (this.pace.isSlow(cpuSeconds(), this.executions)) this.fail('its parts have become too small');
    // Lets others be heard.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

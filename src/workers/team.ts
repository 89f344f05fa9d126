/** Worker threads that search together. The team has the [keeper](../explore/frontier/keeper.ts); workers have nothing that would be missed. */
import { availableParallelism } from 'node:os';
import { Keeper } from '../explore/frontier/keeper.ts';
import type { Helpers, PartResult, SavedTogether, SharedWork, Together } from '../pipelines/together.ts';
import { Bell } from './bell.ts';
import { Collected } from './collected.ts';
import { executionsWord, IDLE, type Question, wordsFor } from './messages.ts';
import { RunsTeam } from './runs-team.ts';
import { WorkerThread } from './thread.ts';

/** How many threads search: as many as were asked for, or all cores. */
export function threadsOf({ jobs }: { readonly jobs?: number | undefined }): number {
  return jobs ?? availableParallelism();
}

/** `after`: how many seconds a search runs alone. */
export function helpersOf(workers: number, after = 3): Helpers | undefined {
  if (workers < 2) return undefined;
  return { ...resumingHelpers(workers), after };
}

/** Helpers for a search that others have begun, even if there is only one worker; a search alone is never divided. */
export function resumingHelpers(workers: number): Helpers {
  return {
    after: Number.POSITIVE_INFINITY,
    begin: (work, left) => new Team(work, workers, Keeper.of(left)),
    beginRuns: (work, left) => new RunsTeam(work, left, workers),
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
  private readonly workers: { readonly thread: WorkerThread; isIdle: boolean }[] = [];
  private readonly bell = new Bell();

  constructor(work: SharedWork, workers: number, keeper: Keeper, before?: SavedTogether) {
    this.keeper = keeper;
    this.found = new Collected(before);
    this.words = new Int32Array(new SharedArrayBuffer(4 * wordsFor(workers)));
    for (let index = 0; index < workers; index++) this.hire(work, index);
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
        if (question.done !== undefined) {
          const { id, left, part } = question.done;
          this.keeper.handOver(id, left, Atomics.load(this.words, IDLE) > 0);
          this.found.add(index, part);
          if (this.found.areSmall) return this.fail('its parts are too small');
          Atomics.store(this.words, executionsWord(index), 0);
        }
        this.workers[index]!.isIdle = true;
        this.handOut();
    }
  }

  get results(): readonly PartResult[] {
    return this.found.results;
  }

  save(): SavedTogether {
    return { frontier: this.keeper.save(), results: this.results, jobs: this.found.jobs };
  }

  /** Gives work to those who have none. */
  private handOut(): void {
    const { keeper, workers } = this;
    if (keeper.isDone) return this.end('done');
    for (const [index, one] of workers.entries()) {
      const id = one.isIdle ? keeper.largest : undefined;
      if (id === undefined) continue;
      one.isIdle = false;
      this.answer(index, keeper.take(id));
    }
    Atomics.store(this.words, IDLE, workers.filter(({ isIdle }) => isIdle).length);
  }

  private answer(index: number, answer: unknown): void {
    this.workers[index]!.thread.answer(answer);
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
    for (const { thread } of this.workers.splice(0)) thread.stop();
  }

  async wait(): Promise<void> {
    if (this.state === 'running') await this.bell.wait();
  }
}

/**
 * Worker threads that search together. The team has the [keeper](../explore/frontier/keeper.ts); workers have nothing that would be missed.
 * They run the script that is running now: the bundled command, or, from the sources, `entry.ts`.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { Keeper } from '../explore/frontier/keeper.ts';
import { Tally } from '../explore/tally.ts';
import type { Helpers, PartResult, SavedTogether, SharedWork, Together } from '../pipelines/together.ts';
import { answerWord, executionsWord, IDLE, type Question, type WorkerData, wordsFor } from './messages.ts';

/** In milliseconds. */
const MOMENT = 50;
/** After so many jobs, they must have had this many executions each: otherwise handing them out takes longer than doing them. */
const FIRST_JOBS = 60;
const SMALL_JOB = 20;

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
    resume: (work, { frontier, results }) => new Team(work, workers, Keeper.restore(frontier), results),
  };
}

export class Team implements Together {
  state: Together['state'] = 'running';
  /** What was found before, and by each worker. */
  private readonly before: readonly PartResult[];
  private readonly parts = new Map<number, PartResult>();
  /** Why it failed, if a worker could not go on. */
  why: string | undefined;
  private readonly keeper: Keeper;
  private readonly words: Int32Array;
  private readonly workers: { readonly worker: Worker; readonly port: MessagePort; isIdle: boolean }[] = [];
  /** Of jobs that have been handed over. */
  private handedOver = 0;
  private jobs = 0;
  private wake: () => void = () => {};

  constructor(work: SharedWork, workers: number, keeper: Keeper, before: readonly PartResult[] = []) {
    this.keeper = keeper;
    this.before = before;
    for (const part of before) this.count(part);
    this.words = new Int32Array(new SharedArrayBuffer(4 * wordsFor(workers)));
    for (let index = 0; index < workers; index++) this.hire(work, index);
  }

  /** Proposals so far, and how many were appended. */
  get proposals(): { readonly proposed: number; readonly appended: number } {
    const { proposed, appended } = this.keeper;
    return { proposed, appended };
  }

  private hire(work: SharedWork, index: number): void {
    const { port1: port, port2 } = new MessageChannel();
    const data: WorkerData = { isFencepostWorker: true, work, port: port2, words: this.words, index };
    const worker = startThread(data, [port2]);
    this.workers.push({ worker, port, isIdle: false });
    port.on('message', (question: Question) => this.hear(index, question));
    worker.on('error', (error) => this.fail(error.message));
    worker.on('exit', () => this.fail('a worker has ended'));
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
          this.add(index, part);
          if (++this.jobs >= FIRST_JOBS && this.handedOver < SMALL_JOB * this.jobs)
            return this.fail('its parts are too small');
          Atomics.store(this.words, executionsWord(index), 0);
        }
        this.workers[index]!.isIdle = true;
        this.handOut();
    }
  }

  /** The tally is that of one job; all else, of all jobs of the worker. */
  private add(index: number, part: PartResult): void {
    const tally = new Tally();
    const before = this.parts.get(index);
    if (before !== undefined) tally.merge(before.tally);
    tally.merge(part.tally);
    this.parts.set(index, { ...part, tally: tally.save() });
    this.count(part);
  }

  private count({ tally }: PartResult): void {
    const { complete, erroneous, blockedBy } = tally.counts;
    this.handedOver += complete + erroneous + blockedBy.assume + blockedBy.unroll + blockedBy.spin;
  }

  get results(): readonly PartResult[] {
    return [...this.before, ...this.parts.values()];
  }

  save(): SavedTogether {
    return { frontier: this.keeper.save(), results: this.results };
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
    this.workers[index]!.port.postMessage(answer);
    Atomics.store(this.words, answerWord(index), 1);
    Atomics.notify(this.words, answerWord(index));
  }

  private fail(why: string): void {
    if (this.state !== 'running') return;
    this.why = why;
    this.end('failed');
  }

  private end(state: 'done' | 'failed'): void {
    this.state = state;
    this.stop();
    this.wake();
  }

  get executions(): number {
    let running = 0;
    for (const index of this.workers.keys()) running += Atomics.load(this.words, executionsWord(index));
    return this.handedOver + running;
  }

  stop(): void {
    if (this.state === 'running') this.state = 'failed';
    for (const { worker, port } of this.workers.splice(0)) {
      port.close();
      void worker.terminate();
    }
  }

  async wait(): Promise<void> {
    if (this.state !== 'running') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MOMENT);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function startThread(workerData: WorkerData, transferList: MessagePort[]): Worker {
  const here = import.meta.url;
  if (here.endsWith('.cjs')) return new Worker(new URL(here), { workerData, transferList });
  if (here.endsWith('.js')) return new Worker(new URL('./entry.js', here), { workerData, transferList });
  // From the sources, types must be stripped first.
  const [loader, entry] = ['../../bench/typescript.mjs', './entry.ts'].map((path) => new URL(path, here).href);
  const script = `import('node:module').then(({ register }) => { register(${JSON.stringify(loader)}); return import(${JSON.stringify(entry)}); })`;
  return new Worker(script, { eval: true, workerData, transferList });
}

/** A thread of a worker: does one job at a time for one search. */

import type { ProposalAnswer } from '../explore/dpor/job.ts';
import type { HandedOut } from '../explore/frontier/keeper.ts';
import type { SharedWork } from '../pipelines/together.ts';
import type { Question } from '../workers/messages.ts';
import { WorkerThread } from '../workers/thread.ts';
import type { JobResult } from './exchange.ts';
import { newId } from './registry.ts';

export type Propose = (
  seat: Seat,
  job: number,
  question: Extract<Question, { ask: 'append' }>,
) => Promise<ProposalAnswer | undefined>;

interface Running {
  readonly job: HandedOut;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: Error) => void;
}

export class Seat {
  readonly id: string = newId();
  readonly index: number;
  private readonly propose: Propose;
  private readonly thread: WorkerThread;
  private running: Running | undefined;
  private results = 0;
  /** Whether the thread has asked for work and not been given any yet. */
  private isReady = false;
  /** Whether the thread can no longer be used. */
  isOver = false;

  constructor(work: SharedWork, words: Int32Array, index: number, propose: Propose) {
    this.index = index;
    this.propose = propose;
    this.thread = new WorkerThread(work, words, index, {
      hear: (question) => this.hear(question),
      fail: (why) => this.abandon(why),
    });
  }

  run(job: HandedOut): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(new Error('the thread has ended'));
      this.running = { job, resolve, reject };
      if (this.isReady) this.begin();
    });
  }

  private begin(): void {
    this.isReady = false;
    try {
      this.thread.answer(this.running!.job);
    } catch (error) {
      // For example, the job is nested too deeply to be copied. The process that checks learns of it.
      this.abandon(String(error));
    }
  }

  private hear(question: Question): void {
    if (this.isOver) return;
    switch (question.ask) {
      case 'append':
        void this.ask(question);
        return;
      case 'give up':
        return this.finish({ gaveUp: question.why });
      case 'work':
        this.isReady = true;
        if (question.done === undefined) {
          if (this.running !== undefined) this.begin();
          return;
        }
        return this.finish({
          thread: this.id,
          number: ++this.results,
          left: question.done.left,
          part: question.done.part,
        });
    }
  }

  private async ask(question: Extract<Question, { ask: 'append' }>): Promise<void> {
    const answer = await this.propose(this, this.running!.job.id, question);
    if (this.isOver) return;
    if (answer === undefined) this.abandon('the job is no longer wanted');
    else this.thread.answer(answer);
  }

  private finish(result: JobResult): void {
    const { running } = this;
    this.running = undefined;
    if ('gaveUp' in result) this.stop();
    running?.resolve(result);
  }

  /** Gives up the present job, and the thread with it. */
  abandon(why: string): void {
    const { running } = this;
    this.running = undefined;
    this.stop();
    running?.reject(new Error(why));
  }

  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.thread.stop();
  }
}

/** Messages between a worker thread and its team. A worker asks, and sleeps until it has the answer. */

import type { MessagePort } from 'node:worker_threads';
import type { ProposalAnswer } from '../explore/dpor/job.ts';
import type { HandedOut } from '../explore/frontier/keeper.ts';
import type { SharedWork } from '../pipelines/together.ts';
import type { DoneJob } from './job-runner.ts';

export interface WorkerData {
  readonly isFencepostWorker: true;
  readonly work: SharedWork;
  readonly port: MessagePort;
  /** See below. */
  readonly words: Int32Array;
  /** The number of this worker. */
  readonly index: number;
}

/** In `words`: how many workers are idle. */
export const IDLE = 0;
/** In `words`: how many questions wait for an answer. */
export const ASKED = 1;
/** From here on, per worker: whether it has an answer, and its executions in the present job. */
const FIRST_WORKER = 2;
const WORKER_WORDS = 2;

export const wordsFor = (workers: number): number => FIRST_WORKER + workers * WORKER_WORDS;
export const answerWord = (worker: number): number => FIRST_WORKER + worker * WORKER_WORDS;
export const executionsWord = (worker: number): number => answerWord(worker) + 1;

export type Question =
  /** Asks for work. `done`: what was done of the last job, and what is left of it. */
  | {
      readonly ask: 'work';
      readonly done?: DoneJob;
    }
  | { readonly ask: 'append'; readonly node: number; readonly known: number; readonly actions: readonly string[] }
  /** The worker cannot continue. */
  | { readonly ask: 'give up'; readonly why: string };

export type WorkAnswer = HandedOut;
export type AppendAnswer = ProposalAnswer;

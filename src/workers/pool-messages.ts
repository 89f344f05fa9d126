/** Messages to and from the threads of a pool, by kind of work. All of them are plain data. */
import type { MessagePort } from 'node:worker_threads';
import type { LitmusTest } from '../frontend/litmus/litmus.ts';
import type { Model } from '../models/index.ts';
import type { HuntWork, TrialsAnswer, TrialsJob } from '../pipelines/hunt/together.ts';
import type { LitmusResult } from '../pipelines/litmus.ts';
import type { ModelAnswer, ModelJob, ModelNews, ModelsWork, Pauses } from '../pipelines/models-elsewhere.ts';
import type { RunsJob, RunsPart } from '../pipelines/shared-runs.ts';
import type { SharedWork } from '../pipelines/together.ts';

/** One test under some models. */
export interface LitmusJob {
  readonly number: number;
  readonly test: LitmusTest;
  readonly models: readonly Model[];
}

/** One entry per model. */
export type LitmusAnswer = readonly { readonly result: Omit<LitmusResult, 'test'>; readonly seconds: number }[];

export interface LitmusSetup {
  readonly maxStates: number;
  readonly interpret: boolean;
}

/** `time`: how often the runs have begun again. What was learnt before the last time does not count. */
export interface NumberedJob extends RunsJob {
  readonly time: number;
}

export interface TimedRuns {
  readonly part: RunsPart;
  readonly milliseconds: number;
}

export interface ModelsSetup extends ModelsWork {
  readonly pauses: Pauses;
}

/** What all jobs have in common. */
export interface PoolSetups {
  readonly litmus: LitmusSetup;
  readonly runs: SharedWork;
  readonly hunt: HuntWork;
  readonly models: ModelsSetup;
}

export interface PoolJobs {
  readonly litmus: LitmusJob;
  readonly runs: NumberedJob;
  readonly hunt: TrialsJob;
  readonly models: ModelJob;
}

export interface PoolAnswers {
  readonly litmus: LitmusAnswer;
  readonly runs: TimedRuns;
  readonly hunt: TrialsAnswer;
  readonly models: ModelAnswer;
}

/** News about a job before its answer. */
export interface PoolNews {
  readonly litmus: never;
  readonly runs: never;
  readonly hunt: never;
  readonly models: ModelNews;
}

export type PoolKind = keyof PoolSetups;

export interface PoolData<K extends PoolKind = PoolKind> {
  readonly isFencepostWorker: true;
  readonly kind: K;
  readonly setup: PoolSetups[K];
  readonly port: MessagePort;
  readonly words: Int32Array;
}

/** In `words`: whether to stop, and hand over what has been done. */
export const STOPPED = 0;

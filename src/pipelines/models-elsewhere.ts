/**
 * Models that other threads search while this thread searches another one. Each is searched as it would be here, so the
 * result is the same. An unfinished search can also be handed back, to be divided among all threads.
 */
import type { Model } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import type { CheckProgress, ModelResult } from './model-result.ts';
import type { SavedModelRun } from './together.ts';

/** What all threads need to know, as plain data. */
export interface ModelsWork {
  readonly program: Program;
  readonly options: CheckOptions;
}

/**
 * Milliseconds between two reports of a search (`note`), and between two that include the whole saved search (`keep`;
 * more if saving takes long).
 */
export interface Pauses {
  readonly note: number;
  readonly keep: number;
}

/** `saved`: the state to resume the search from. */
export interface ModelJob {
  readonly model: Model;
  readonly saved?: SavedModelRun;
}

/** The result, or the unfinished search. */
export type ModelAnswer = { readonly result: ModelResult } | { readonly saved: SavedModelRun };

export interface ModelNews {
  readonly progress: CheckProgress;
  /** Present now and then, if the search can be saved. */
  readonly saved?: SavedModelRun;
}

export interface ModelsElsewhere {
  /** Whether a thread is searching the model. */
  isRunning(model: Model): boolean;
  readonly isBusy: boolean;
  /** Makes sure that no thread begins with the model from now on. */
  claim(model: Model): void;
  result(model: Model): ModelResult | undefined;
  /** The last known state of a search. */
  saved(model: Model): SavedModelRun | undefined;
  /** The progress of the first search that is running. */
  readonly progress: CheckProgress | undefined;
  /** Asks for the running searches to be handed back. Those that cannot be saved run to their end. */
  callBack(): void;
  /** Ends all threads. */
  end(): void;
  /** Resolves after a moment, at the latest when there is an answer. */
  wait(): Promise<void>;
}

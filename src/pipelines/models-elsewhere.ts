/**
 * Models that other threads search while this one searches another. Each is searched as it would be here, so the result is the same; a
 * search can also come back as it is, to be divided among all threads.
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

/** In milliseconds: between two notes of a search, and between two that have all of it, unless saving takes long. */
export interface Pauses {
  readonly note: number;
  readonly keep: number;
}

/** `saved`: how far the search was. */
export interface ModelJob {
  readonly model: Model;
  readonly saved?: SavedModelRun;
}

/** The result, or the search as far as it came. */
export type ModelAnswer = { readonly result: ModelResult } | { readonly saved: SavedModelRun };

export interface ModelNews {
  readonly progress: CheckProgress;
  /** Now and then, if the search can be saved. */
  readonly saved?: SavedModelRun;
}

export interface ModelsElsewhere {
  /** Whether a thread has begun with the model and has not answered. */
  isRunning(model: Model): boolean;
  readonly isBusy: boolean;
  /** From now on no thread begins with the model. */
  claim(model: Model): void;
  result(model: Model): ModelResult | undefined;
  /** How far a search was when it was last heard of. */
  saved(model: Model): SavedModelRun | undefined;
  /** Of the first that is running. */
  readonly progress: CheckProgress | undefined;
  /** Asks for the searches that are running. Those that cannot be saved go on to their end. */
  callBack(): void;
  /** Ends all threads. */
  end(): void;
  /** Resolves after a moment, at the latest when there is an answer. */
  wait(): Promise<void>;
}

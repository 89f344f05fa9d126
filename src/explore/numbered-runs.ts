/**
 * Strategies that make numbered runs: each depends on its number, and on what `known` says about the runs before it.
 */
import type { Strategy } from './strategy.ts';

export interface KnownOfRuns {
  /** Of the longest run so far, if later runs depend on it. */
  readonly steps: number;
  /** The most in any run so far. */
  readonly processes: number;
}

export interface NumberedRuns extends Strategy {
  /** The number of runs, and the index of the next one. */
  readonly runs: number;
  next: number;
  known: KnownOfRuns;
}

export const NOTHING_KNOWN: KnownOfRuns = { steps: 0, processes: 0 };

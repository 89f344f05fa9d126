/** Strategies that make runs with numbers: each depends on its number, and on what `known` says of those before it. */
import type { Strategy } from './strategy.ts';

export interface KnownOfRuns {
  /** Of the longest run so far, if later ones depend on it. */
  readonly steps: number;
  /** The most so far. */
  readonly processes: number;
}

export interface NumberedRuns extends Strategy {
  /** How many there are, and the number of the next one. */
  readonly runs: number;
  next: number;
  known: KnownOfRuns;
}

export const NOTHING_KNOWN: KnownOfRuns = { steps: 0, processes: 0 };

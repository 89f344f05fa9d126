/** What is said about executions that SC does not allow and that were continued to see whether they do harm. */
import type { HuntCycleReport } from './schema.ts';

/** Proves nothing: only some continuations were tried. */
export const NO_FAILURE = 'no failure found by continuing from here';

/** The verdicts on the cycles of `hunt`, in a word or two. */
export const CYCLE_VERDICTS: Readonly<Record<HuntCycleReport['verdict'], string>> = {
  harmful: 'harmful',
  'benign so far': 'no failure found',
  'not confirmed': 'not confirmed',
};

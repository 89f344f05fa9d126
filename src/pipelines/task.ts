/** Long-running work that is done a piece at a time. */
import type { Stop } from '../explore/bound.ts';

export interface Task {
  /** Runs for about this many steps; returns true once the work is done. */
  advance(steps: number): boolean;
  /** From then on `advance` only winds up. */
  stop(why: Stop): void;
  /** If others do the work: resolves after a moment. */
  wait?(): Promise<void> | undefined;
}

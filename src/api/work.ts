/**
 * Runs long work a piece at a time until it is done, interrupted or out of time: the loop of every function of the API
 * and every command. Timers and signals are handled between pieces.
 */
import { INTERRUPTED, outOfTime, type Stop } from '../explore/bound.ts';
import type { Task } from '../pipelines/task.ts';
import { Pieces } from './pieces.ts';

export class Work {
  private readonly timeout: number | undefined;
  private readonly deadline: number;
  private readonly isInterrupted: () => boolean;
  private readonly pieces: Pieces;

  /** `timeout` is in seconds and covers all tasks together; `moment` is the duration of a piece, in milliseconds. */
  constructor(timeout: number | undefined, isInterrupted: () => boolean, moment: number) {
    this.timeout = timeout;
    this.deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
    this.isInterrupted = isInterrupted;
    this.pieces = new Pieces(moment);
  }

  readonly isLate = (): boolean => this.whyStop() !== undefined;

  /** Why nothing more should be done, if so. */
  whyStop(): Stop | undefined {
    if (this.isInterrupted()) return INTERRUPTED;
    return performance.now() > this.deadline ? outOfTime(this.timeout!) : undefined;
  }

  /** Runs the task to its end, or stops it. `show` is called after each piece but the last. */
  async run(task: Task, show: () => void): Promise<void> {
    while (!task.advance(this.pieces.next())) {
      show();
      await task.wait?.();
      await new Promise((resolve) => setImmediate(resolve));
      const why = this.whyStop();
      if (why !== undefined) task.stop(why);
    }
  }
}

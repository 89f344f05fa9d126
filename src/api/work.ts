/** Long-running work of the API, a piece at a time, so that the caller's timers and signals are handled in between. */
import type { Progress, WorkOptions } from './options.ts';
import { Pieces } from './pieces.ts';

interface Task {
  /** Runs for about this many steps; returns true once the work is done. */
  advance(steps: number): boolean;
  stop(why: string): void;
}

/** Milliseconds between checks of the clock and the signal. */
const MOMENT = 20;

export class Work {
  private readonly options: WorkOptions;
  private readonly timeout: number | undefined;
  private readonly deadline: number;
  private readonly pieces = new Pieces(MOMENT);

  /** `timeout` is in seconds and covers all tasks together. */
  constructor(options: WorkOptions, timeout: number | undefined) {
    this.options = options;
    this.timeout = timeout;
    this.deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  }

  readonly isLate = (): boolean => performance.now() > this.deadline || this.options.signal?.aborted === true;

  /** Runs the task to its end, or stops it. */
  async run(task: Task, describe: () => Progress | undefined): Promise<void> {
    const { signal, onProgress } = this.options;
    const isStopped = (): boolean => {
      if (signal?.aborted === true) task.stop('interrupted');
      else if (performance.now() > this.deadline) task.stop(`time: ${this.timeout} s`);
      else return false;
      return true;
    };
    if (isStopped()) return;
    while (!task.advance(this.pieces.next())) {
      const progress = onProgress === undefined ? undefined : describe();
      if (progress !== undefined) onProgress!(progress);
      await new Promise((resolve) => setImmediate(resolve));
      if (isStopped()) return;
    }
  }
}

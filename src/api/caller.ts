/** The caller of a function of the API, who may follow its work and abort it. */
import type { Task } from '../pipelines/task.ts';
import type { Progress, WorkOptions } from './options.ts';
import { Work } from './work.ts';

/** Milliseconds between looks at the clock and the signal. */
const MOMENT = 20;

export class Caller {
  private readonly onProgress: WorkOptions['onProgress'];
  private readonly work: Work;

  /** `timeout` is in seconds and covers all tasks together. */
  constructor({ signal, onProgress }: WorkOptions, timeout: number | undefined) {
    this.onProgress = onProgress;
    this.work = new Work(timeout, () => signal?.aborted === true, MOMENT);
  }

  readonly isLate = (): boolean => this.work.isLate();

  /** Runs the task to its end, or stops it; a task that comes too late does not start. */
  async run(task: Task, describe: () => Progress | undefined): Promise<void> {
    const why = this.work.whyStop();
    if (why !== undefined) return task.stop(why);
    return this.work.run(task, () => {
      const progress = this.onProgress === undefined ? undefined : describe();
      if (progress !== undefined) this.onProgress!(progress);
    });
  }
}

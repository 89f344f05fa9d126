/**
 * Long-running work, a piece at a time: with progress on standard error, until it ends, Ctrl-C is pressed or time is
 * up.
 */
import { Pieces } from '../../api/pieces.ts';
import { Interrupt } from './interrupt.ts';
import { Progress, type ProgressLine } from './progress.ts';

export interface Task {
  /** Runs for about this many steps; true at the end. */
  advance(steps: number): boolean;
  stop(why: string): void;
  /** While others work on it: resolves after a moment. */
  wait?(): Promise<void> | undefined;
}

/** One deadline, and one Ctrl-C, for all tasks of a command. */
export class Driver {
  private readonly interrupt = new Interrupt();
  private readonly pieces = new Pieces();
  private progress = new Progress();
  private readonly timeout: number | undefined;
  private readonly deadline: number;

  /** `timeout` in seconds. */
  constructor(timeout?: number) {
    this.timeout = timeout;
    this.deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  }

  readonly isLate = (): boolean => performance.now() > this.deadline;

  /** Lets signals arrive; true once there was one. */
  isInterrupted(): Promise<boolean> {
    return this.interrupt.check();
  }

  /** Runs the task to its end, or stops it. `line` describes its progress, if it is worth a line. */
  async drive(task: Task, line: () => ProgressLine | undefined): Promise<void> {
    while (!task.advance(this.pieces.next())) {
      await task.wait?.();
      if (await this.interrupt.check()) task.stop('interrupted');
      else if (this.isLate()) task.stop(`time: ${this.timeout} s`);
      this.show(line);
    }
  }

  /** The next task is worth a line only if it takes long itself. */
  restart(): void {
    this.progress.clear();
    this.progress = new Progress();
  }

  show(line: () => ProgressLine | undefined): void {
    this.progress.update(line);
  }

  /** Erases the progress line; call before anything else is written. */
  clear(): void {
    this.progress.clear();
  }

  dispose(): void {
    this.interrupt.dispose();
    this.progress.clear();
  }
}

/**
 * Runs long work a piece at a time, with progress on standard error, until it is done, Ctrl-C is pressed or time is up.
 */
import { Pieces } from '../../api/pieces.ts';
import { Interrupt } from './interrupt.ts';
import { Progress, type ProgressLine } from './progress.ts';

export interface Task {
  /** Runs for about this many steps; returns true once the work is done. */
  advance(steps: number): boolean;
  stop(why: string): void;
  /** If others do the work: resolves after a moment. */
  wait?(): Promise<void> | undefined;
}

/** Handles the deadline and Ctrl-C for all tasks of a command. */
export class Driver {
  private readonly interrupt = new Interrupt();
  private readonly pieces = new Pieces();
  private progress = new Progress();
  private readonly timeout: number | undefined;
  private readonly deadline: number;

  /** `timeout` is in seconds. */
  constructor(timeout?: number) {
    this.timeout = timeout;
    this.deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  }

  readonly isLate = (): boolean => performance.now() > this.deadline;

  /** Lets signals arrive; true once one has. */
  isInterrupted(): Promise<boolean> {
    return this.interrupt.check();
  }

  /** Runs the task to its end, or stops it. `line` describes its progress, if there is any to show. */
  async drive(task: Task, line: () => ProgressLine | undefined): Promise<void> {
    while (!task.advance(this.pieces.next())) {
      await task.wait?.();
      if (await this.interrupt.check()) task.stop('interrupted');
      else if (this.isLate()) task.stop(`time: ${this.timeout} s`);
      this.show(line);
    }
  }

  /** Starts the next task without a progress line; it gets one only if it takes long itself. */
  restart(): void {
    this.progress.clear();
    this.progress = new Progress();
  }

  show(line: () => ProgressLine | undefined): void {
    this.progress.update(line);
  }

  /** Erases the progress line; call this before anything else is written. */
  clear(): void {
    this.progress.clear();
  }

  dispose(): void {
    this.interrupt.dispose();
    this.progress.clear();
  }
}

/** Runs the tasks of a command, with progress on standard error, until they are done, Ctrl-C is pressed or time is up. */
import { Work } from '../../api/work.ts';
import type { Task } from '../../pipelines/task.ts';
import { Interrupt } from './interrupt.ts';
import { Progress, type ProgressLine } from './progress.ts';

/** Milliseconds between looks at the clock and the signals. */
const MOMENT = 50;

/** Handles the deadline and Ctrl-C for all tasks of a command. */
export class Driver {
  private readonly interrupt = new Interrupt();
  private progress = new Progress();
  private work: Work;

  /** `timeout` is in seconds. */
  constructor(timeout?: number) {
    this.work = this.workFor(timeout);
  }

  readonly isLate = (): boolean => this.work.isLate();

  /** Lets signals arrive; true once one has. */
  isInterrupted(): Promise<boolean> {
    return this.interrupt.check();
  }

  /** Runs the task to its end, or stops it. `line` describes its progress, if there is any to show. */
  drive(task: Task, line: () => ProgressLine | undefined): Promise<void> {
    return this.work.run(task, () => this.show(line));
  }

  /** Starts the next task without a progress line; it gets one only if it takes long itself. */
  restart(): void {
    this.progress.clear();
    this.progress = new Progress();
  }

  /** The same for a task that has its own time limit. */
  restartFor(timeout: number | undefined): void {
    this.restart();
    this.work = this.workFor(timeout);
  }

  private workFor(timeout: number | undefined): Work {
    return new Work(timeout, () => this.interrupt.hasArrived, MOMENT);
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

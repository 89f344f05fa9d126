/** What runs the code between visible operations: the interpreter, or generated code. */
import type { Code } from '../code/code.ts';
import type { Memory } from '../memory/memory.ts';
import type { Layout } from '../state/layout.ts';
import type { ProcessTable, Step } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Frames } from './frames.ts';
import type { LoopWatch } from './loop-watch.ts';
import type { Printer } from './printer.ts';
import type { Progress } from './progress.ts';

export interface Runner {
  /**
   * Takes a whole step of the thread: the visible operation at `pc` and the local instructions after it. False, with
   * nothing done, if `Operations` must run the operation.
   */
  step(thread: number, pc: number, step: Step): boolean;
  /** Runs from `pc` until the thread is at a visible operation, has ended, is blocked or has failed. */
  advance(thread: number, pc: number): void;
}

/** What runners work on; owned by the machine. */
export interface RunnerParts {
  readonly loops: LoopWatch;
  readonly progress: Progress;
  readonly code: Code;
  readonly state: State;
  readonly layout: Layout;
  readonly frames: Frames;
  readonly processes: ProcessTable;
  readonly printer: Printer;
  readonly memory: Memory;
}

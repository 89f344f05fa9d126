/** What a thread was: its registers and position before an earlier step, from the undo journal. */
import * as ev from '../events/event.ts';
import { type Layout, T_FRAME, T_HEAP, T_PC, T_STACK, T_TOP, THREAD_WORDS } from '../state/layout.ts';
import type { Step } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';

/** Where a thread is. Its store buffer is not put back: its stores stay where they are. */
const POSITION = [T_PC, T_FRAME, T_TOP, T_STACK, T_HEAP];

/** A machine that knows its past. */
export interface Recalling {
  readonly state: State;
  readonly layout: Layout;
  readonly threads: Threads;
  readonly events: ev.EventLog;
  readonly depth: number;
  step(step: Step): void;
  /** Rolls back to the state after `depth` steps, and forgets nothing else. */
  undo(depth: number): void;
  /** Length of the journal before the step with this number. */
  markAt(step: number): number;
}

export class ThreadPast {
  private readonly machine: Recalling;
  private recalled = new Int32Array(64);

  constructor(machine: Recalling) {
    this.machine = machine;
  }

  /** The thread's last operation before this event, or -1. */
  operationBefore(event: number, thread: number): number {
    const { events } = this.machine;
    let e = event - 1;
    while (e >= 0 && (events.get(e, ev.E_THREAD) !== thread || events.get(e, ev.E_KIND) === ev.UPDATE_EVENT)) e--;
    return e;
  }

  /** The thread's words when the journal was this long. Valid until the next call of anything here. */
  words(thread: number, mark: number): Int32Array {
    return this.recall(mark, this.machine.threads.at(thread), THREAD_WORDS);
  }

  /**
   * Puts the thread's registers and position back to what they were when the journal was this long. False, and nothing
   * is changed, if the thread has called or returned since.
   */
  putBack(thread: number, mark: number): boolean {
    const { state, threads, layout } = this.machine;
    const at = threads.at(thread);
    const position = this.words(thread, mark);
    if (!state.isUntouched(mark, at + T_FRAME)) return false;
    for (const field of POSITION) state.set(at + field, position[field]!);
    const base = layout.frames + thread * layout.limits.frameWords;
    const count = threads.get(thread, T_TOP) - base;
    const frames = this.recall(mark, base, count);
    state.save(base, count);
    for (let i = 0; i < count; i++) state.words[base + i] = frames[i]!;
    return true;
  }

  private recall(mark: number, start: number, count: number): Int32Array {
    if (this.recalled.length < count) this.recalled = new Int32Array(2 * count);
    this.machine.state.recall(mark, start, count, this.recalled);
    return this.recalled;
  }
}

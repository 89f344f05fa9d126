/**
 * Compare-exchanges that would fail only because their thread read too early.
 *
 * `while (!CAS(&x, &old, old + 1));` reads `x` (in a load before the loop, or in the last failure) and fails if another
 * thread has written `x` since. If the thread would come to the same state had it read `x` now instead, then another
 * execution has that read in place of both, and is as this one otherwise. So the thread may wait in front of the failure,
 * as in front of an idle read. docs/decisions/0026-early-reads.md has the argument.
 *
 * Whether the state is the same is found by putting the thread back to before the earlier read, and taking that now.
 */
import { isFailedExchange } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import { hasStopped } from '../state/fault.ts';
import {
  type Layout,
  RUNNABLE,
  T_FRAME,
  T_HEAP,
  T_PC,
  T_STACK,
  T_STATUS,
  T_TOP,
  T_WRITES,
  THREAD_WORDS,
} from '../state/layout.ts';
import type { Step } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';
import type { ThreadWords } from './thread-words.ts';

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

export class EarlyReads {
  private readonly machine: Recalling;
  private readonly now: ThreadWords;
  private readonly instead: ThreadWords;
  private past = new Int32Array(64);

  /** Both may be used for anything else between two calls. */
  constructor(machine: Recalling, now: ThreadWords, instead: ThreadWords) {
    this.machine = machine;
    this.now = now;
    this.instead = instead;
  }

  /**
   * Whether the last step, by this thread, is a compare-exchange that failed, and that would not have been needed had the
   * thread's operation before it read the same bytes now. `live`: what is live of its frame where it is now. The function
   * must be pure (`code/idle-reads.ts`), so that all that the thread has found since is in its registers.
   */
  isTooEarly(thread: number, live: readonly number[]): boolean {
    const { events, depth } = this.machine;
    const last = depth - 1;
    if (!isFailedExchange(events, last)) return false;
    const before = this.operationBefore(last, thread);
    if (before < 0 || !isSameBytes(events, before, last)) return false;
    return (isLoad(events, before) || isFailedExchange(events, before)) && this.comesHere(thread, before, live);
  }

  /** The thread's last operation before this event, or -1. */
  private operationBefore(event: number, thread: number): number {
    const { events } = this.machine;
    let e = event - 1;
    while (e >= 0 && (events.get(e, ev.E_THREAD) !== thread || events.get(e, ev.E_KIND) === ev.UPDATE_EVENT)) e--;
    return e;
  }

  /** Whether the thread would be in its present state if it had taken operation `read` now, in place of the last. */
  private comesHere(thread: number, read: number, live: readonly number[]): boolean {
    const { machine, now, instead } = this;
    const { state, threads, depth, events } = machine;
    const pc = threads.get(thread, T_PC);
    now.keep(thread, live);
    const mark = state.mark;
    if (!this.putBack(thread, machine.markAt(read))) return false;
    machine.step(events.get(read, ev.E_STEP));
    const answer =
      !hasStopped(state) &&
      threads.get(thread, T_STATUS) === RUNNABLE &&
      threads.get(thread, T_PC) === pc &&
      instead.keep(thread, live) &&
      now.equals(instead);
    machine.undo(depth);
    state.rewind(mark);
    return answer;
  }

  /**
   * Puts the thread's registers and position back to what they were when the journal was this long. False, and nothing
   * is changed, if the thread was in another function then, or has written since.
   */
  private putBack(thread: number, mark: number): boolean {
    const { state, threads, layout } = this.machine;
    const at = threads.at(thread);
    const position = this.recall(mark, at, THREAD_WORDS);
    if (position[T_FRAME] !== threads.get(thread, T_FRAME)) return false;
    if (position[T_WRITES] !== threads.get(thread, T_WRITES)) return false;
    for (const field of POSITION) state.set(at + field, position[field]!);
    const base = layout.frames + thread * layout.limits.frameWords;
    const count = threads.get(thread, T_TOP) - base;
    const frames = this.recall(mark, base, count);
    state.save(base, count);
    for (let i = 0; i < count; i++) state.words[base + i] = frames[i]!;
    return true;
  }

  private recall(mark: number, start: number, count: number): Int32Array {
    if (this.past.length < count) this.past = new Int32Array(2 * count);
    this.machine.state.recall(mark, start, count, this.past);
    return this.past;
  }
}

function isLoad(events: ev.EventLog, event: number): boolean {
  return events.get(event, ev.E_KIND) === ev.LOAD_EVENT;
}

function isSameBytes(events: ev.EventLog, one: number, other: number): boolean {
  return (
    events.get(one, ev.E_ADDRESS) === events.get(other, ev.E_ADDRESS) &&
    events.get(one, ev.E_SIZE) === events.get(other, ev.E_SIZE)
  );
}

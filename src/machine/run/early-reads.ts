/**
 * Compare-exchanges that would fail only because their thread read too early.
 *
 * `while (!CAS(&x, &old, old + 1));` reads `x` (in a load before the loop, or in the last failure) and fails if another
 * thread has written `x` since. If the thread would have reached the same state by reading `x` only now, then another
 * execution has that read in place of both, and is otherwise like this one. So the thread may wait in front of the
 * failure, as in front of an idle read. docs/decisions/0026-early-reads.md has the argument.
 *
 * To find out, the thread is put back to before the earlier read, and takes that read now.
 */
import { isFailedExchange, isSameBytes } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import { hasStopped } from '../state/fault.ts';
import { RUNNABLE, T_PC, T_STATUS, T_WRITES } from '../state/layout.ts';
import { type Recalling, ThreadPast } from './thread-past.ts';
import type { ThreadWords } from './thread-words.ts';

export class EarlyReads {
  private readonly machine: Recalling;
  private readonly now: ThreadWords;
  private readonly instead: ThreadWords;
  private readonly past: ThreadPast;

  /** `now` and `instead` may be used for anything else between two calls. */
  constructor(machine: Recalling, now: ThreadWords, instead: ThreadWords) {
    this.machine = machine;
    this.now = now;
    this.instead = instead;
    this.past = new ThreadPast(machine);
  }

  /**
   * Whether the last step, by this thread, is a compare-exchange that failed and would not have been needed had the
   * thread's operation before it read the same bytes now. `live`: the live words of its frame at its present place. The
   * function must be pure (`code/idle-reads.ts`), so that all that the thread has learnt since is in its registers.
   */
  isTooEarly(thread: number, live: readonly number[]): boolean {
    const { events, depth } = this.machine;
    const last = depth - 1;
    if (!isFailedExchange(events, last)) return false;
    const before = this.past.operationBefore(last, thread);
    if (before < 0 || !isSameBytes(events, before, last)) return false;
    return (isLoad(events, before) || isFailedExchange(events, before)) && this.comesHere(thread, before, live);
  }

  /** Whether the thread would be in its present state if it had taken operation `read` now, in place of the last. */
  private comesHere(thread: number, read: number, live: readonly number[]): boolean {
    const { machine, past, now, instead } = this;
    const { state, threads, depth, events } = machine;
    const pc = threads.get(thread, T_PC);
    now.keep(thread, live);
    const mark = state.mark;
    const then = machine.markAt(read);
    if (past.words(thread, then)[T_WRITES] !== threads.get(thread, T_WRITES)) return false;
    if (!past.putBack(thread, then)) return false;
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
}

function isLoad(events: ev.EventLog, event: number): boolean {
  return events.get(event, ev.E_KIND) === ev.LOAD_EVENT;
}

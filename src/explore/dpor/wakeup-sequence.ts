/**
 * A wakeup sequence: the v = notdep(e, E).proc(e') of a reversible race e ≲ e' ([ODPOR] Sect. 3), with which processes
 * could go first in it. It is a list of events of the current execution, and at the end the action of e', which may do
 * something else when it comes before e.
 *
 *   paper              here
 *   p ∈ WI_{E'}(v)     `isWeakInitial`
 *   v \ p               `remove`
 *
 * A load whose own store waits in the buffer looks nowhere else, so whether an event of the sequence conflicts with
 * another one depends on which updates come before it: in the prefix, in the sequence, or taken out of it already.
 */
import { processOf } from '../../machine/process.ts';
import { NO_OWN_STORE } from '../../trace/actions.ts';
import type { HappensBefore } from '../../trace/happens-before.ts';
import { IntVector } from '../../util/int-vector.ts';

/** No action. */
export const NO_ACTION = -1;

export class WakeupSequence {
  readonly events: IntVector = new IntVector();
  /** What comes after the events. */
  last: number = NO_ACTION;
  private readonly happensBefore: HappensBefore;
  /** The event before which the sequence is to be run. */
  private first = 0;
  private readonly removed = new IntVector();

  constructor(happensBefore: HappensBefore) {
    this.happensBefore = happensBefore;
  }

  /** Starts a new one: nothing but `last`, from before event `first`. */
  reset(first: number, last: number): void {
    this.events.clear();
    this.removed.clear();
    this.first = first;
    this.last = last;
  }

  /**
   * Whether the action's process could go first in the sequence and lead to the same: it is
   * in the sequence and nothing before it conflicts with it, or it is not and nothing at all does.
   */
  isWeakInitial(action: number): boolean {
    const { events, happensBefore, first } = this;
    const { actions } = happensBefore;
    const step = actions.step(action);
    const process = processOf(step);
    const thread = actions.thread(action);
    const own = actions.own(action);
    const update = own === NO_OWN_STORE ? -1 : happensBefore.updateOf(thread, own);
    // While the own store waits, the load looks nowhere else.
    let forwarded = own !== NO_OWN_STORE && (update < 0 || update >= first) && !this.isRemoved(update);
    for (let i = 0; i < events.length; i++) {
      const event = events.get(i);
      const other = happensBefore.action(event);
      const otherStep = actions.step(other);
      if (processOf(otherStep) === process) return otherStep === step;
      if (event === update) forwarded = false;
      if (actions.conflict(action, other, forwarded || this.isForwarded(event))) return false;
    }
    if (this.last === NO_ACTION) return true;
    const lastStep = actions.step(this.last);
    if (processOf(lastStep) === process) return lastStep === step;
    return !actions.conflict(action, this.last, forwarded);
  }

  /** Whether the event is a load whose own store still waits in the buffer when its turn in the sequence comes. */
  private isForwarded(event: number): boolean {
    const { happensBefore, first } = this;
    const action = happensBefore.action(event);
    const own = happensBefore.actions.own(action);
    if (own === NO_OWN_STORE) return false;
    const update = happensBefore.updateOf(happensBefore.actions.thread(action), own);
    if (update < 0) return true;
    if (this.isRemoved(update)) return false;
    return update > event || update === first || (update > first && happensBefore.happensBefore(first, update));
  }

  private isRemoved(event: number): boolean {
    for (let i = 0; i < this.removed.length; i++) if (this.removed.get(i) === event) return true;
    return false;
  }

  /** Takes out the first event of the action's process, if there is one. */
  remove(action: number): void {
    const { events, happensBefore } = this;
    const { actions } = happensBefore;
    const process = processOf(actions.step(action));
    for (let i = 0; i < events.length; i++) {
      if (processOf(actions.step(happensBefore.action(events.get(i)))) !== process) continue;
      this.removed.push(events.get(i));
      events.words.copyWithin(i, i + 1, events.length);
      events.length--;
      return;
    }
    if (this.last !== NO_ACTION && processOf(actions.step(this.last)) === process) this.last = NO_ACTION;
  }

  /** The first actions of the processes that have events in the sequence and could go first in it. */
  initials(out: IntVector): void {
    const { events, happensBefore } = this;
    out.clear();
    for (let i = 0; i <= events.length; i++) {
      const action = i < events.length ? happensBefore.action(events.get(i)) : this.last;
      if (!this.comesLater(action, i) && this.isWeakInitial(action)) out.push(action);
    }
  }

  /** Whether the action's process has one of the first `end` events. */
  private comesLater(action: number, end: number): boolean {
    const { actions } = this.happensBefore;
    const process = processOf(actions.step(action));
    for (let i = 0; i < end; i++) {
      if (processOf(actions.step(this.happensBefore.action(this.events.get(i)))) === process) return true;
    }
    return false;
  }
}

/**
 * A wakeup sequence: the v = notdep(e, E).proc(e') of a reversible race e ≲ e' ([ODPOR] Sect. 3), and which processes
 * could go first in it. It is a set of events of the current execution, in execution order, followed by the action of
 * e', which may act differently when it comes before e.
 *
 *   paper              here
 *   p ∈ WI_{E'}(v)     `isWeakInitial`
 *   v \ p               `remove`
 *
 * If a process has events in the sequence, the first of them can go first if no event of the sequence happens before
 * it. If it has none, it can go first if nothing in the sequence conflicts with its action.
 */
import { type IntVector, larger } from '../../util/int-vector.ts';
import { processOf } from '../runnable.ts';
import { type Dependence, type EventSet, NO_ACTION, NO_EVENT } from './dependence.ts';
import type { VisibleEvents } from './visible-events.ts';

/** Sequence numbers start again here. */
const MAX_NUMBER = 0x7fffffff;

export class WakeupSequence implements EventSet {
  /** The action after the events. */
  last: number = NO_ACTION;
  private readonly dependence: Dependence;
  private readonly visible: VisibleEvents;
  private readonly longFrom: number;
  /** The event before which the sequence is to run. */
  first = 0;
  /** Bits of the events in the sequence, and of those removed; from word `from` to `end`-1. */
  private rest = new Int32Array(4);
  private removed = new Int32Array(4);
  private from = 0;
  private end = 0;
  /** The sequence had no event when it was made. */
  isEmpty = true;
  /**
   * If many events follow `first`, per process: its first event that has not been removed; valid if `knownIn` is
   * `number`.
   */
  private isLong = false;
  private firsts = new Int32Array(8);
  private knownIn = new Int32Array(8);
  private number = 0;
  /** For the process last queried: its first event after `first`, and whether `last` is its next action. */
  ownEvent: number = NO_EVENT;
  private isLast = false;

  /** `longFrom`: see `Shortcuts`. */
  constructor(dependence: Dependence, visible: VisibleEvents, longFrom: number) {
    this.longFrom = longFrom;
    this.dependence = dependence;
    this.visible = visible;
  }

  /** Starts a new sequence: only `last`, to run before event `first`. */
  reset(first: number, last: number): void {
    this.begin(first, last);
    this.from = 0;
    this.end = 0;
    this.isEmpty = true;
  }

  private begin(first: number, last: number): void {
    this.first = first;
    this.last = last;
    this.isLong = this.visible.length - first >= this.longFrom;
    if (this.isLong) this.forgetFirsts();
  }

  private forgetFirsts(): void {
    if (++this.number === MAX_NUMBER) {
      this.knownIn.fill(0);
      this.number = 1;
    }
    while (this.firsts.length < this.visible.processEnd) {
      this.firsts = larger(this.firsts);
      this.knownIn = larger(this.knownIn);
    }
  }

  /**
   * Starts a new sequence: the visible events between `first` and `end` that do not happen after `first`, without
   * `second`; then `last`.
   */
  make(first: number, second: number, end: number, last: number): void {
    const { dependence, visible } = this;
    this.begin(first, last);
    this.from = (first + 1) >> 5;
    this.end = (end + 31) >> 5;
    if (this.rest.length < visible.bits.length) {
      this.rest = new Int32Array(visible.bits.length);
      this.removed = new Int32Array(visible.bits.length);
    }
    const { rest, removed } = this;
    let all = 0;
    for (let w = this.from; w < this.end; w++) {
      let bits = visible.bits[w]!;
      if (w === this.from) bits &= -1 << ((first + 1) & 31);
      if (w === end >> 5) bits &= (1 << (end & 31)) - 1;
      if (w === second >> 5) bits &= ~(1 << (second & 31));
      for (let left = bits; left !== 0; left &= left - 1) {
        const bit = left & -left;
        if (dependence.happensBefore(first, (w << 5) + 31 - Math.clz32(bit))) bits &= ~bit;
      }
      rest[w] = bits;
      removed[w] = 0;
      all |= bits;
    }
    this.isEmpty = all === 0;
  }

  /** Leaves out `event`, which comes after `first`, and everything that happens after it; only right after `make`. */
  postpone(event: number): void {
    const { dependence, rest } = this;
    let all = 0;
    for (let w = this.from; w < this.end; w++) {
      for (let left = rest[w]!; left !== 0; left &= left - 1) {
        const bit = left & -left;
        const other = (w << 5) + 31 - Math.clz32(bit);
        if (other === event || dependence.happensBefore(event, other)) rest[w] = rest[w]! & ~bit;
      }
      all |= rest[w]!;
    }
    this.isEmpty = all === 0;
  }

  /** The next event of the sequence after `event`, or `NO_EVENT`; start with `first`. */
  next(event: number): number {
    const { rest, end } = this;
    let w = (event + 1) >> 5;
    if (w >= end) return NO_EVENT;
    let bits = rest[w]! & (-1 << ((event + 1) & 31));
    while (bits === 0) {
      if (++w >= end) return NO_EVENT;
      bits = rest[w]!;
    }
    return (w << 5) + 31 - Math.clz32(bits & -bits);
  }

  /** The process last queried has an event after `first`, but none in the sequence. */
  get isOutside(): boolean {
    return this.ownEvent !== NO_EVENT && !this.has(this.ownEvent);
  }

  has(event: number): boolean {
    return event >> 5 < this.end && event > this.first && (this.rest[event >> 5]! & (1 << (event & 31))) !== 0;
  }

  /** The first event of the process after `first` that has not been removed; it may not be in the sequence. */
  private firstOf(process: number): number {
    if (this.isLong) return this.knownFirstOf(process);
    const { visible, first } = this;
    let found = NO_EVENT;
    for (let event = visible.lastOf(process); event > first; event = visible.before(event)) {
      if (this.isRemoved(event)) break;
      found = event;
    }
    return found;
  }

  /** The same, without visiting all events of the process again after each removal. */
  private knownFirstOf(process: number): number {
    const { visible, first, firsts } = this;
    if (process >= visible.processEnd) return NO_EVENT;
    if (this.knownIn[process] === this.number) return firsts[process]!;
    let found = NO_EVENT;
    for (let event = visible.lastOf(process); event > first; event = visible.before(event)) found = event;
    this.knownIn[process] = this.number;
    firsts[process] = found;
    return found;
  }

  /** Whether the action's process could go first in the sequence without changing its result. */
  isWeakInitial(action: number): boolean {
    const { dependence } = this;
    const { actions } = dependence;
    const step = actions.step(action);
    const process = processOf(step);
    const event = this.firstOf(process);
    this.ownEvent = event;
    if (event !== NO_EVENT && this.has(event)) {
      return actions.step(dependence.action(event)) === step && !this.happensAfterAny(event, process);
    }
    this.isLast = this.last !== NO_ACTION && processOf(actions.step(this.last)) === process;
    if (this.isLast) return actions.step(this.last) === step && dependence.isIndependent(action, this, NO_ACTION);
    return dependence.isIndependent(action, this, this.last);
  }

  /**
   * Whether an event of the sequence happens before `event`, which is the first of `process` in it. In a long sequence,
   * only the first event of each process is examined (Lemma 20).
   */
  private happensAfterAny(event: number, process: number): boolean {
    const { dependence, visible, from } = this;
    if (!this.isLong) return dependence.happensAfterAny(event, this.rest, from);
    for (let other = 0; other < visible.processEnd; other++) {
      if (other === process) continue;
      const first = this.firstOf(other);
      if (first !== NO_EVENT && this.has(first) && dependence.happensBefore(first, event)) return true;
    }
    return false;
  }

  isRemoved(event: number): boolean {
    const w = event >> 5;
    return w >= this.from && w < this.end && (this.removed[w]! & (1 << (event & 31))) !== 0;
  }

  /** Removes the first event of the process last queried, if it has one; the process must be a weak initial. */
  remove(): void {
    const event = this.ownEvent;
    if (event !== NO_EVENT && this.has(event)) {
      const bit = 1 << (event & 31);
      this.rest[event >> 5] = this.rest[event >> 5]! & ~bit;
      this.removed[event >> 5] = this.removed[event >> 5]! | bit;
      if (this.isLong) this.firsts[this.visible.process(event)] = this.visible.after(event);
    } else if (this.isLast) this.last = NO_ACTION;
  }

  /**
   * Removes the first event of the sequence if it took the same step as `action`: a fast path for `isWeakInitial` and
   * `remove`. No event of the sequence happens before its first one. Nor is there an earlier event of its process that
   * is neither in the sequence nor removed: such an event would happen after `first` or be postponed, and so would this
   * one.
   */
  removeFirst(action: number): boolean {
    if (this.isLong) return false;
    const event = this.next(this.first);
    if (event === NO_EVENT) return false;
    const { dependence, rest, removed } = this;
    const own = dependence.action(event);
    if (own !== action && dependence.actions.step(own) !== dependence.actions.step(action)) return false;
    const w = event >> 5;
    const bit = 1 << (event & 31);
    rest[w] = rest[w]! & ~bit;
    removed[w] = removed[w]! | bit;
    return true;
  }

  /** The first actions of the processes that have events in the sequence and could go first in it. */
  initials(out: IntVector): void {
    const { dependence, visible, first } = this;
    out.clear();
    for (let event = this.next(first); event !== NO_EVENT; event = this.next(event)) {
      const action = dependence.action(event);
      if (this.firstOf(visible.process(event)) === event && this.isWeakInitial(action)) out.push(action);
    }
    const event = this.firstOf(processOf(dependence.actions.step(this.last)));
    if ((event === NO_EVENT || !this.has(event)) && this.isWeakInitial(this.last)) out.push(this.last);
  }
}

/**
 * A wakeup sequence: the v = notdep(e, E).proc(e') of a reversible race e ≲ e' ([ODPOR] Sect. 3), with which processes
 * could go first in it. It is a set of events of the current execution, in their order there, and at the end the action
 * of e', which may do something else when it comes before e.
 *
 *   paper              here
 *   p ∈ WI_{E'}(v)     `isWeakInitial`
 *   v \ p               `remove`
 *
 * Of a process that has events in the sequence, the first of them can go first if no event of the sequence happens before
 * it. Of one that has none, nothing in the sequence may conflict with what it does. A load whose own store waits in the
 * buffer looks nowhere else, so whether it conflicts depends on which updates come before it: in the prefix, in the
 * sequence, or taken out of it already.
 */
import { processOf } from '../../machine/process.ts';
import { bytesIn, NO_ENTRY } from '../../trace/access-lists.ts';
import { NO_ADDRESS, NO_OWN_STORE, WRITES } from '../../trace/actions.ts';
import type { HappensBefore } from '../../trace/happens-before.ts';
import type { IntVector } from '../../util/int-vector.ts';
import { NO_EVENT, type VisibleEvents } from './visible-events.ts';

/** No action. */
export const NO_ACTION = -1;

export class WakeupSequence {
  /** What comes after the events. */
  last: number = NO_ACTION;
  private readonly happensBefore: HappensBefore;
  private readonly visible: VisibleEvents;
  /** The event before which the sequence is to be run. */
  private first = 0;
  /** Bits of the events in the sequence, and of those taken out; from word `from` to `end`-1. */
  private rest = new Int32Array(4);
  private removed = new Int32Array(4);
  private from = 0;
  private end = 0;
  /** There was no event in the sequence when it was made. */
  private isEmpty = true;
  /** Of the process that was last asked about: its first event after `first`, and whether `last` is its next action. */
  ownEvent: number = NO_EVENT;
  private isLast = false;

  /** Find conflicts by the accesses to each word. */
  private readonly usesLists: boolean;

  constructor(happensBefore: HappensBefore, visible: VisibleEvents, usesLists = true) {
    this.happensBefore = happensBefore;
    this.visible = visible;
    this.usesLists = usesLists && !happensBefore.usesAtomicSections;
  }

  /** Starts a new one: nothing but `last`, from before event `first`. */
  reset(first: number, last: number): void {
    this.first = first;
    this.last = last;
    this.from = 0;
    this.end = 0;
    this.isEmpty = true;
  }

  /** The visible events between `first` and `end` that do not happen after `first`, without `second`; then `last`. */
  make(first: number, second: number, end: number, last: number): void {
    const { happensBefore, visible } = this;
    this.first = first;
    this.last = last;
    this.from = (first + 1) >> 5;
    this.end = (end + 31) >> 5;
    if (this.rest.length < visible.bits.length) {
      this.rest = new Int32Array(visible.bits.length);
      this.removed = new Int32Array(visible.bits.length);
    }
    const { rest, removed } = this;
    // Words before are read too, when all that happens before an event is compared.
    for (let w = 0; w < this.from; w++) rest[w] = 0;
    let all = 0;
    for (let w = this.from; w < this.end; w++) {
      let bits = visible.bits[w]!;
      if (w === this.from) bits &= -1 << ((first + 1) & 31);
      if (w === end >> 5) bits &= (1 << (end & 31)) - 1;
      if (w === second >> 5) bits &= ~(1 << (second & 31));
      for (let left = bits; left !== 0; left &= left - 1) {
        const bit = left & -left;
        if (happensBefore.happensBefore(first, (w << 5) + 31 - Math.clz32(bit))) bits &= ~bit;
      }
      rest[w] = bits;
      removed[w] = 0;
      all |= bits;
    }
    this.isEmpty = all === 0;
  }

  /** The next event of the sequence after `event`, or `NO_EVENT`; `first` to begin with. */
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

  /** The process that was last asked about has an event after `first`, but none in the sequence. */
  get isOutside(): boolean {
    return this.ownEvent !== NO_EVENT && !this.has(this.ownEvent);
  }

  private has(event: number): boolean {
    return event >> 5 < this.end && event > this.first && (this.rest[event >> 5]! & (1 << (event & 31))) !== 0;
  }

  /** The first event of the process after `first` that has not been taken out; it may not be in the sequence. */
  private firstOf(process: number): number {
    const { visible, first } = this;
    let found = NO_EVENT;
    for (let event = visible.lastOf(process); event > first; event = visible.before(event)) {
      if (this.isRemoved(event)) break;
      found = event;
    }
    return found;
  }

  /** Whether the action's process could go first in the sequence and lead to the same. */
  isWeakInitial(action: number): boolean {
    const { happensBefore } = this;
    const { actions } = happensBefore;
    const step = actions.step(action);
    const process = processOf(step);
    const event = this.firstOf(process);
    this.ownEvent = event;
    if (event !== NO_EVENT && this.has(event)) {
      return actions.step(happensBefore.action(event)) === step && !happensBefore.happensAfterAny(event, this.rest);
    }
    this.isLast = this.last !== NO_ACTION && processOf(actions.step(this.last)) === process;
    if (this.isLast) return actions.step(this.last) === step && this.isIndependent(action, NO_ACTION);
    return this.isIndependent(action, this.last);
  }

  /** Whether nothing in the sequence, nor `last`, conflicts with the action, of a process that has no events in it. */
  private isIndependent(action: number, last: number): boolean {
    const { happensBefore, first } = this;
    const { actions } = happensBefore;
    const own = actions.own(action);
    if (own === NO_OWN_STORE && this.usesLists) {
      if (last !== NO_ACTION && actions.conflict(action, last, false)) return false;
      return this.isEmpty || !this.isTouched(action);
    }
    const update = own === NO_OWN_STORE ? NO_EVENT : happensBefore.updateOf(actions.thread(action), own);
    // While the own store waits, the load looks nowhere else.
    let forwarded = own !== NO_OWN_STORE && (update < 0 || update >= first) && !this.isRemoved(update);
    for (let event = this.next(first); event !== NO_EVENT; event = this.next(event)) {
      if (event === update) forwarded = false;
      const other = happensBefore.action(event);
      if (!actions.conflict(action, other, false)) continue;
      const looksElsewhere = forwarded || this.isForwarded(event, other);
      if (!looksElsewhere || actions.conflict(action, other, true)) return false;
    }
    return last === NO_ACTION || !actions.conflict(action, last, forwarded);
  }

  /** Whether an event of the sequence conflicts with the action; found by who else touched those bytes. */
  private isTouched(action: number): boolean {
    const { actions } = this.happensBefore;
    const access = actions.access(action);
    if (access === 0) return false;
    const second = actions.second(action);
    if (this.touches(action, access, actions.address(action), actions.bytes(action))) return true;
    return second !== NO_ADDRESS && this.touches(action, WRITES, second, 1);
  }

  private touches(action: number, access: number, address: number, size: number): boolean {
    const { happensBefore } = this;
    const { lists } = happensBefore;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      const list = lists.list(word);
      const mask = bytesIn(word, address, size);
      if (this.findsConflict(action, lists.lastWrite(list), mask, true)) return true;
      // A load that its own buffer answered is entered late, when its store reaches memory.
      const areInOrder = !happensBefore.isBuffered;
      if ((access & WRITES) !== 0 && this.findsConflict(action, lists.lastRead(list), mask, areInOrder)) return true;
    }
    return false;
  }

  /** Whether one of the accesses from `entry` backwards, newest first if `areInOrder`, is in the sequence and conflicts. */
  private findsConflict(action: number, entry: number, mask: number, areInOrder: boolean): boolean {
    const { happensBefore, first } = this;
    const { lists, actions } = happensBefore;
    for (let n = entry; n !== NO_ENTRY; n = lists.previous(n)) {
      const event = lists.event(n);
      if (areInOrder && event <= first) return false;
      if (!this.has(event) || (lists.mask(n) & mask) === 0) continue;
      const other = happensBefore.action(event);
      if (actions.thread(other) !== actions.thread(action) && !this.isForwarded(event, other)) return true;
    }
    return false;
  }

  /** Whether the event is a load whose own store still waits in the buffer when its turn in the sequence comes. */
  private isForwarded(event: number, action: number): boolean {
    const { happensBefore, first } = this;
    const own = happensBefore.actions.own(action);
    if (own === NO_OWN_STORE) return false;
    const update = happensBefore.updateOf(happensBefore.actions.thread(action), own);
    if (update < 0) return true;
    if (this.isRemoved(update)) return false;
    return update > event || update === first || (update > first && happensBefore.happensBefore(first, update));
  }

  private isRemoved(event: number): boolean {
    const w = event >> 5;
    return w >= this.from && w < this.end && (this.removed[w]! & (1 << (event & 31))) !== 0;
  }

  /** Takes out the first event of the process that was last asked about, if there is one; it is a weak initial. */
  remove(): void {
    const event = this.ownEvent;
    if (event !== NO_EVENT && this.has(event)) {
      const bit = 1 << (event & 31);
      this.rest[event >> 5] = this.rest[event >> 5]! & ~bit;
      this.removed[event >> 5] = this.removed[event >> 5]! | bit;
    } else if (this.isLast) this.last = NO_ACTION;
  }

  /** The first actions of the processes that have events in the sequence and could go first in it. */
  initials(out: IntVector): void {
    const { happensBefore, visible, first } = this;
    const { actions } = happensBefore;
    out.clear();
    for (let event = this.next(first); event !== NO_EVENT; event = this.next(event)) {
      const action = happensBefore.action(event);
      if (this.firstOf(visible.process(event)) === event && this.isWeakInitial(action)) out.push(action);
    }
    const event = this.firstOf(processOf(actions.step(this.last)));
    if ((event === NO_EVENT || !this.has(event)) && this.isWeakInitial(this.last)) out.push(this.last);
  }
}

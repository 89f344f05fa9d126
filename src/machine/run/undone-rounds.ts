/**
 * Rounds of a loop that undo what they do: lock, look, unlock; add one, look, subtract one. If memory is as it was, and
 * nobody has seen it otherwise, the thread might as well have waited. docs/decisions/0049-rounds-that-undo-themselves.md
 * has the argument.
 *
 * Judged from the events of the execution. Every question asked of them has the same answer in equivalent executions:
 * events that access what the round wrote are ordered with its writes, or commute with them.
 */
import type { Code } from '../code/code.ts';
import { ADDS, commutingSites } from '../code/commuting.ts';
import {
  BYTES,
  COMMITS,
  EFFECTS,
  isWrite,
  OBJECT,
  OVERWRITTEN_HIGH,
  OVERWRITTEN_LOW,
  TAKES_MUTEX,
  WRITTEN_HIGH,
  WRITTEN_LOW,
} from '../events/effects.ts';
import * as ev from '../events/event.ts';

/** In place of an event. */
const NO_EVENT = -1;
/** A round that undoes itself has at most so many writes. */
export const MOST_UNDONE = 16;

export class UndoneRounds {
  private readonly code: Code;
  private readonly events: ev.EventLog;
  /** Whether a store takes effect at once. */
  private readonly storesAtOnce: boolean;
  /** By site: as in `commutingSites`; a superset of what the search takes for independent. */
  private classes: Uint8Array | undefined;
  /** The thread's writes in the round, the newest first. */
  private readonly writes: number[] = [];

  constructor(code: Code, events: ev.EventLog, storesAtOnce: boolean) {
    this.code = code;
    this.events = events;
    this.storesAtOnce = storesAtOnce;
  }

  /**
   * Whether all that the thread has done since its event number `since`, `changes` writes in all, has undone itself,
   * seen by nobody.
   */
  isUndone(thread: number, since: number, changes: number): boolean {
    const { writes } = this;
    if (changes > MOST_UNDONE || !this.findWrites(thread, since, changes)) return false;
    for (let i = writes.length - 1; i >= 0; i--) {
      const isFirst = !this.hasBefore(i);
      if (isFirst && !(this.isOfMutex(writes[i]!) ? this.isReleased(i) : this.isRestored(i))) return false;
    }
    return true;
  }

  private findWrites(thread: number, since: number, changes: number): boolean {
    const { events, writes } = this;
    writes.length = 0;
    for (let e = events.length - 1; e >= 0; e--) {
      if (events.get(e, ev.E_THREAD) !== thread || (this.effects(e) & COMMITS) !== 0) continue;
      if (events.get(e, ev.E_INDEX) <= since) break;
      if (!isWrite(events, e)) continue;
      if (!this.canBeUndone(e) || writes.length === changes) return false;
      writes.push(e);
    }
    // Otherwise the thread has done something else, for example printed.
    return writes.length === changes;
  }

  private effects(event: number): number {
    return EFFECTS[this.events.get(event, ev.E_KIND)]!;
  }

  private canBeUndone(event: number): boolean {
    const { events } = this;
    switch (events.get(event, ev.E_KIND)) {
      case ev.LOCK_EVENT:
      case ev.TRYLOCK_EVENT:
      case ev.UNLOCK_EVENT:
        return true;
      // Not by stores, also under SC: a store waits in a buffer on other machines, and monitors must see what may pass it.
      case ev.RMW_EVENT:
        break;
      default:
        return false;
    }
    return (events.get(event, ev.E_FLAGS) & (ev.REPLACED_UNDEFINED | ev.WROTE_UNDEFINED)) === 0;
  }

  private isOfMutex(event: number): boolean {
    return (this.effects(event) & OBJECT) !== 0;
  }

  /** Whether the round has written to this place before write `i`. */
  private hasBefore(i: number): boolean {
    const { writes } = this;
    for (let k = i + 1; k < writes.length; k++)
      if (this.isSamePlace(writes[k]!, writes[i]!) && this.isOfMutex(writes[k]!) === this.isOfMutex(writes[i]!))
        return true;
    return false;
  }

  private isSamePlace(one: number, other: number): boolean {
    return this.events.get(one, ev.E_ADDRESS) === this.events.get(other, ev.E_ADDRESS);
  }

  /** Whether the mutex of write `i` is taken and released in turn, and nobody else has tried to take it meanwhile. */
  private isReleased(i: number): boolean {
    const { writes } = this;
    const first = writes[i]!;
    let taken = NO_EVENT;
    for (let k = i; k >= 0; k--) {
      const write = writes[k]!;
      if (!this.isSamePlace(write, first)) continue;
      const takes = (this.effects(write) & TAKES_MUTEX) !== 0;
      if (takes !== (taken === NO_EVENT)) return false;
      if (!takes && this.isUsed(taken, write)) return false;
      taken = takes ? write : NO_EVENT;
    }
    return taken === NO_EVENT;
  }

  /** Whether another thread has used the mutex between these two events. */
  private isUsed(from: number, to: number): boolean {
    const { events } = this;
    const thread = events.get(from, ev.E_THREAD);
    for (let e = from + 1; e < to; e++) {
      if (events.get(e, ev.E_THREAD) === thread || (this.effects(e) & OBJECT) === 0) continue;
      if (this.isSamePlace(e, from) || events.get(e, ev.E_MUTEX) === events.get(from, ev.E_ADDRESS)) return true;
    }
    return false;
  }

  /**
   * Whether the bytes of write `i` are at last what they were before it, and other threads have at most changed them
   * meanwhile in ways that commute with what the round did, without looking.
   */
  private isRestored(i: number): boolean {
    const { writes } = this;
    const first = writes[i]!;
    let last = first;
    for (let k = i; k >= 0; k--) {
      const write = writes[k]!;
      if (this.isOfMutex(write) || !this.overlaps(write, first)) continue;
      if (!this.isSameAccess(write, first)) return false;
      last = write;
    }
    return this.isUnseen(first, last) && this.sumIsZero(i, first);
  }

  /** Whether other threads' accesses to these bytes between the two events commute with those of the round. */
  private isUnseen(first: number, last: number): boolean {
    const { events } = this;
    const thread = events.get(first, ev.E_THREAD);
    const commuting = this.classOf(first);
    // Otherwise a commuting operation of another thread has its place among some of these writes, but not among others.
    for (const write of this.writes) if (this.overlaps(write, first) && this.classOf(write) !== commuting) return false;
    for (let e = first + 1; e < last; e++) {
      if (events.get(e, ev.E_THREAD) === thread || !this.touchesMemory(e) || !this.overlaps(e, first)) continue;
      if (commuting === 0 || this.classOf(e) !== commuting || !this.isSameAccess(e, first)) return false;
    }
    return true;
  }

  /** Whether the differences that the round has made to the bytes of write `i` add up to nothing. */
  private sumIsZero(i: number, first: number): boolean {
    const { writes, events } = this;
    const toggles = this.classOf(first) !== 0 && this.classOf(first) !== ADDS;
    const mask = (1n << BigInt(8 * events.get(first, ev.E_SIZE))) - 1n;
    let sum = 0n;
    for (let k = i; k >= 0; k--) {
      const write = writes[k]!;
      if (this.isOfMutex(write) || !this.isSamePlace(write, first)) continue;
      const [before, after] = [this.replaced(write), this.written(write)];
      sum = toggles ? sum ^ before ^ after : sum + after - before;
    }
    return (sum & mask) === 0n;
  }

  private replaced(event: number): bigint {
    const kind = this.events.get(event, ev.E_KIND);
    return this.value(event, OVERWRITTEN_LOW[kind]!, OVERWRITTEN_HIGH[kind]!);
  }

  private written(event: number): bigint {
    const kind = this.events.get(event, ev.E_KIND);
    return this.value(event, WRITTEN_LOW[kind]!, WRITTEN_HIGH[kind]!);
  }

  private value(event: number, low: number, high: number): bigint {
    return (BigInt(this.events.get(event, high) >>> 0) << 32n) | BigInt(this.events.get(event, low) >>> 0);
  }

  private classOf(event: number): number {
    this.classes ??= commutingSites(this.code, { sleeps: true, mayBeIdle: () => false });
    if (this.events.get(event, ev.E_KIND) !== ev.RMW_EVENT) return 0;
    return this.classes[this.events.get(event, ev.E_SITE)]!;
  }

  /** Whether the event reads or writes memory: not so a load from its thread's own buffer, or a store that waits. */
  private touchesMemory(event: number): boolean {
    const { events } = this;
    const effects = this.effects(event);
    if ((effects & BYTES) === 0) return false;
    const kind = events.get(event, ev.E_KIND);
    if (kind === ev.LOAD_EVENT) return (events.get(event, ev.E_FLAGS) & ev.FORWARDED) === 0;
    return this.storesAtOnce || (kind !== ev.STORE_EVENT && kind !== ev.FREE_EVENT);
  }

  private overlaps(one: number, other: number): boolean {
    const { events } = this;
    if (this.isOfMutex(one)) return false;
    const [start, begin] = [events.get(one, ev.E_ADDRESS), events.get(other, ev.E_ADDRESS)];
    const [size, extent] = [this.extent(one), this.extent(other)];
    return start < begin + extent && begin < start + size;
  }

  private extent(event: number): number {
    return this.events.get(event, ev.E_SIZE);
  }

  private isSameAccess(one: number, other: number): boolean {
    return this.isSamePlace(one, other) && this.extent(one) === this.extent(other);
  }
}

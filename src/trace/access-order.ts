/** The immediate predecessors of an access: conflicting accesses of other threads, found through a list per word. */
import { COMMUTES } from '../machine/code/commuting.ts';
import {
  EFFECTS,
  EXCLUDES_ALL,
  effectsOf,
  GIVES_UP_MUTEX,
  READS,
  TAKES_MUTEX,
  WRITES,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { AccessLists, bytesIn, MAY_COMMUTE, NO_ENTRY } from './access-lists.ts';
import { newestEnabling } from './conditional.ts';
import { H_STORE, H_WORDS, NONE, Predecessors } from './predecessors.ts';

export class AccessOrder extends Predecessors {
  readonly lists: AccessLists = new AccessLists();
  /** Entries from this number on record the newest earlier entry of another thread, to search long lists faster. */
  protected longFrom: number = 0x7fffffff;
  /** By site: how its read-modify-write commutes with others (`machine/code/commuting.ts`); empty if none does. */
  protected classes: Uint8Array = new Uint8Array(0);
  /** Per byte of a word: the newest write to it found so far, if it may commute with older ones. */
  private readonly newest = new Int32Array(4);
  /** If the event loads a value that its own thread stored: that store. */
  protected ownStore: number = NONE;
  /**
   * For a lock: the previous lock of the mutex, and the event that released it. For an await: the write that it races
   * with, and the last write.
   */
  protected heldLock: number = NONE;
  protected heldUnlock: number = NONE;

  /**
   * Whether the event waited in front of an idle read, or in an await on commuting writes. A trylock acts as a lock
   * instead.
   */
  protected waits = false;
  protected actsAsLock = false;
  /** The event neither locks a mutex nor could it wait for a value: it simply follows other threads' writes. */
  protected isPlain = true;
  /** The event follows this write, and may have waited for it. */
  protected addSource(write: number): void {
    this.add(write, 0);
  }

  /** Adds the predecessors of the access, and enters it in the lists of its words. */
  protected touch(event: number, kind: number, thread: number, access: number, address: number, size: number): void {
    const { lists } = this;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      const list = lists.list(word);
      const mask = bytesIn(word, address, size);
      this.meet(kind, thread, access, address, size, list, mask);
      if ((access & WRITES) === 0) lists.addRead(list, event, mask);
      else lists.addWrite(list, event, (access & COMMUTES) === 0 ? mask : mask | MAY_COMMUTE);
      if (lists.end > this.longFrom) this.noteOther(thread);
    }
  }

  /** Records, for the last entry of `thread`, the newest entry of another thread before it in its list. */
  private noteOther(thread: number): void {
    const { lists } = this;
    const entry = lists.end - 1;
    const previous = lists.previous(entry);
    lists.setOther(entry, previous < this.longFrom || !this.isOf(previous, thread) ? previous : lists.other(previous));
  }

  private isOf(entry: number, thread: number): boolean {
    return this.machine.events.words[this.lists.event(entry) * ev.EVENT_WORDS + ev.E_THREAD] === thread;
  }

  protected addReader(event: number, thread: number, address: number, size: number): void {
    const { lists } = this;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      lists.addRead(lists.list(word), event, bytesIn(word, address, size));
      if (lists.end > this.longFrom) this.noteOther(thread);
    }
  }

  protected meet(
    kind: number,
    thread: number,
    access: number,
    address: number,
    size: number,
    list: number,
    mask: number,
  ): void {
    const { lists } = this;
    const words = this.machine.events.words;
    let rest = mask;
    let n = lists.lastWrite(list);
    for (; n !== NO_ENTRY; n = lists.previous(n)) {
      const bytes = lists.mask(n);
      const overlap = bytes & rest;
      if (overlap === 0) continue;
      if ((bytes & MAY_COMMUTE) !== 0) {
        n = this.meetCommuting(kind, thread, access, address, size, n, rest);
        break;
      }
      rest &= ~overlap;
      this.meetWrite(kind, thread, n, address, size);
      if (rest === 0) break;
    }
    if ((access & WRITES) === 0) return;
    // Reads since then. `n` is the oldest write that is still partly visible; `NO_ENTRY` if the initial value is.
    for (let r = lists.lastRead(list); r > n; r = lists.previous(r)) {
      if ((lists.mask(r) & mask) === 0) continue;
      const read = lists.event(r);
      if (words[read * ev.EVENT_WORDS + ev.E_THREAD] !== thread) this.add(read, 1);
    }
  }

  /**
   * The same from entry `from` on, with writes that may commute. An access follows all of the newest writes to a byte
   * that commute with each other; the writes that they do not commute with happen before them. Writes that commute with
   * the access itself are skipped. Returns the oldest entry that was needed.
   */
  private meetCommuting(
    kind: number,
    thread: number,
    access: number,
    address: number,
    size: number,
    from: number,
    mask: number,
  ): number {
    const { lists, newest } = this;
    const event = this.length - 1;
    /** Bytes to which no write has been met yet; and bytes whose writes met so far all commute. */
    let rest = mask;
    let open = 0;
    let n = from;
    for (; n !== NO_ENTRY; n = lists.previous(n)) {
      const bytes = lists.mask(n) & (rest | open);
      if (bytes === 0) continue;
      const write = lists.event(n);
      const mayCommute = (lists.mask(n) & MAY_COMMUTE) !== 0;
      const isPassed = mayCommute && (access & COMMUTES) !== 0 && this.commute(write, event);
      let isMet = !isPassed && (bytes & rest) !== 0;
      for (let byte = 0; byte < 4; byte++) {
        const bit = 1 << byte;
        if ((bytes & open & bit) !== 0) {
          if (mayCommute && this.commute(write, newest[byte]!)) isMet = true;
          else open &= ~bit;
        } else if ((bytes & rest & bit) !== 0 && !isPassed) {
          rest &= ~bit;
          if (mayCommute) open |= bit;
          newest[byte] = write;
        }
      }
      if (isMet) this.meetWrite(kind, thread, n, address, size);
      if ((rest | open) === 0) break;
    }
    return n;
  }

  /** How the event commutes with others: a class of `machine/code/commuting.ts`, or 0. */
  protected classOf(event: number): number {
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    if (words[at + ev.E_KIND] !== ev.RMW_EVENT || (words[at + ev.E_FLAGS]! & ev.WROTE_MEMORY) === 0) return 0;
    return this.classes[words[at + ev.E_SITE]!] ?? 0;
  }

  /** Whether the two events are read-modify-writes of the same class on the same bytes. */
  protected commute(a: number, b: number): boolean {
    const { words } = this.machine.events;
    const p = a * ev.EVENT_WORDS;
    const q = b * ev.EVENT_WORDS;
    if (words[p + ev.E_ADDRESS] !== words[q + ev.E_ADDRESS] || words[p + ev.E_SIZE] !== words[q + ev.E_SIZE])
      return false;
    const both = this.classOf(a);
    return both !== 0 && both === this.classOf(b);
  }

  protected meetWrite(kind: number, thread: number, n: number, address: number, size: number): void {
    const words = this.machine.events.words;
    const write = this.lists.event(n);
    if (words[write * ev.EVENT_WORDS + ev.E_THREAD] !== thread) {
      if (this.isPlain) this.add(write, 1);
      else this.addWaited(kind, write, n);
    } else if (write !== this.length - 1 && words[write * ev.EVENT_WORDS + ev.E_KIND] === ev.UPDATE_EVENT) {
      this.meetOwnUpdate(kind, write, address, size);
    }
  }

  /** The event may have waited for this write of another thread, at entry `n`. */
  private addWaited(kind: number, write: number, n: number): void {
    if ((kind === ev.LOCK_EVENT || this.actsAsLock) && this.unlocks(write)) this.addHeldLock(write, n);
    else if (this.waits) this.addSource(write);
    else if (this.isAwait(this.length - 1)) this.addAwaited(write, n);
    else this.add(write, 1);
  }

  protected meetOwnUpdate(kind: number, update: number, address: number, size: number): void {
    if (kind !== ev.LOAD_EVENT) return this.add(update, 0);
    const words = this.machine.events.words;
    const start = words[update * ev.EVENT_WORDS + ev.E_ADDRESS]!;
    const covers = start <= address && address + size <= start + words[update * ev.EVENT_WORDS + ev.E_SIZE]!;
    if (covers) this.ownStore = this.fields[update * H_WORDS + H_STORE]!;
    else this.add(update, 0);
  }

  /** Whether the event is a blocking await. */
  protected isAwait(event: number): boolean {
    return (this.machine.events.words[event * ev.EVENT_WORDS + ev.E_FLAGS]! & ev.BLOCKS) !== 0;
  }

  /** An await follows the last write, at entry `n`, but races with the newest write before which it could have run. */
  protected addAwaited(last: number, n: number): void {
    const { events } = this.machine;
    const event = this.length - 1;
    const write = newestEnabling(
      events,
      this.lists,
      n,
      events.get(event, ev.E_ADDRESS),
      events.get(event, ev.E_READ_LOW),
      events.get(event, ev.E_PREDICATE),
      events.get(event, ev.E_BOUND),
    );
    if (write === last) return this.add(last, 1);
    this.add(last, 0);
    this.heldLock = write;
    this.heldUnlock = last;
  }

  protected unlocks(event: number): boolean {
    const kind = this.machine.events.words[event * ev.EVENT_WORDS + ev.E_KIND]!;
    return (EFFECTS[kind]! & GIVES_UP_MUTEX) !== 0;
  }

  /** A lock follows the unlock at entry `n`, but races with the lock that this unlock ended. */
  protected addHeldLock(unlock: number, n: number): void {
    this.add(unlock, 0);
    const lock = this.lockBefore(this.lists.previous(n));
    if (lock === NONE) return;
    this.heldLock = lock;
    this.heldUnlock = unlock;
  }

  /** From entry `n` backwards, the newest event that took the mutex; other writes to its bytes do not count. */
  protected lockBefore(n: number): number {
    const { lists } = this;
    for (let m = n; m !== NO_ENTRY; m = lists.previous(m)) {
      if ((effectsOf(this.machine.events, lists.event(m)) & TAKES_MUTEX) !== 0) return lists.event(m);
    }
    return NONE;
  }

  /** Atomic sections: their starts write a location that everything else reads. */
  protected touchAll(event: number, thread: number, access: number): void {
    const { lists } = this;
    const list = lists.list(0);
    const writes = access === EXCLUDES_ALL;
    this.meet(writes ? ev.RMW_EVENT : ev.LOAD_EVENT, thread, writes ? WRITES : READS, 0, 1, list, 1);
    // No entry of another thread is noted: in programs with sections, searches do not look through lists.
    if (writes) lists.addWrite(list, event, 1);
    else lists.addRead(list, event, 1);
  }
}

/**
 * The store buffer safety monitor of [SOBER] Fig. 2, with the generalised vector clock of Fig. 3, as published.
 *
 *   paper                            here
 *   timestamp ts of event e          row e of `loads` (ts[2*p]) and of `stores` (ts[2*p+1])
 *   lc[p], sc[p]                     the rows of `lastRead`, `lastStore` of p: each includes those before it
 *   mc2[a]                           the rows of what the event conflicts with (`clock.conflicts`)
 *   mc1[p][a]                        the row of the newest write to a, by others or an atomic operation (`joinSources`)
 *   last(E,p), lastR(E,p)            `clock.past`, `lastRead`, whose row the event's is during `check`
 *   write(E,a,c), c - 1              `clock.writes`, `before`
 *   →hb*, →rhb*                      `clock.happensBefore`; Theorem 5, by the writer's store count alone
 *
 * Fig. 2 line 8 has a misprint; [SOBER-TR] has it right: `p = p(write(E,a,c))`.
 *
 * Deviations: accesses have sizes; a load that its own thread's store overlaps without covering happens after that
 * store. Fences, mutexes, creating and joining threads are interlocked operations on another location; one that fails
 * to write only reads.
 *
 * Errors: as published. Never alarms falsely. May miss violations, because its axioms of TSO are too strict: a write
 * counts as before every later load of its location, even if the load takes the value of its own thread's store, which
 * says nothing about memory ([MON] Sect. 6; test n6 of x86-TSO). Knows TSO only.
 */

import { ALLOCATES, BYTES, EFFECTS, JOINS, NO_WAIT, OBJECT, READS, waitOf } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { StoreBufferModel } from '../models/index.ts';
import { TSO } from '../models/tso.ts';
import { IntVector } from '../util/int-vector.ts';
import { ClockRows } from './clock-rows.ts';
import { type EventClock, NONE } from './event-clock.ts';
import { couldComeBefore, covers, isBuffered, overlaps } from './mapping.ts';
import { type Monitor, type Report, Violations } from './monitor.ts';

export class Sober implements Monitor {
  readonly name: string = 'sober';
  readonly model: StoreBufferModel = TSO.name;
  readonly violations: Violations;
  /** Timestamps. */
  readonly loads: ClockRows = new ClockRows();
  readonly stores: ClockRows = new ClockRows();
  /** Whether writes are checked too, not only loads. */
  protected readonly checksWrites: boolean = false;
  private readonly clock: EventClock;
  /** Per event: its thread's last event that reads, and the last that stores, up to it; `NONE` if there is none. */
  private readonly lastRead = new IntVector();
  private readonly lastStore = new IntVector();
  /** Per event: where its part of `before` begins. */
  private readonly starts = new IntVector();
  /** What the writes overwrote: the last writes to the bytes of each. */
  private readonly before = new IntVector();

  constructor(clock: EventClock, report?: Report) {
    this.clock = clock;
    this.violations = new Violations(report);
  }

  observe(event: number): void {
    const { clock, loads, stores } = this;
    const { words } = clock.events;
    const at = event * ev.EVENT_WORDS;
    const does = EFFECTS[words[at + ev.E_KIND]!]!;
    const wait = waitOf(words, at);
    const joins = (does & JOINS) !== 0;
    const thread = words[at + ev.E_THREAD]!;
    loads.fit(event, clock.width);
    stores.fit(event, clock.width);
    const read = clock.past === NONE ? NONE : this.lastRead.get(clock.past);
    const store = clock.past === NONE ? NONE : this.lastStore.get(clock.past);
    this.starts.push(this.before.length);
    const isStore = isBuffered(words, at);
    // During an atomic section no other thread's store can reach memory: its own might as well do so at once.
    const isInterlocked = wait !== NO_WAIT || joins || (isStore && clock.isInSection(event));
    if (isStore || isInterlocked) {
      // Fig. 3 line 17–23, 24–32
      for (let i = 0; i < clock.writes.length; i++) this.before.push(clock.writes.words[i]!);
      this.begin(event, read);
      if (store !== NONE) this.join(event, store);
      if (this.checksWrites) this.check(event, thread);
      this.joinConflicts(event, joins);
      stores.set(event, thread, stores.get(event, thread) + 1);
      if (isInterlocked) loads.set(event, thread, loads.get(event, thread) + 1);
    } else if ((does & (READS | BYTES)) === (READS | BYTES)) {
      // Fig. 3 line 12–16
      this.begin(event, read);
      this.check(event, thread);
      this.joinSources(event, at, thread);
      loads.set(event, thread, loads.get(event, thread) + 1);
    } else if (isSignal(does, wait)) {
      // Ours, not in the paper: operations on condition variables happen at once and wait for no store; so does the
      // beginning of a block, which comes after all that was done to its bytes.
      this.begin(event, read);
      this.joinConflicts(event, false);
      loads.set(event, thread, loads.get(event, thread) + 1);
    } else {
      this.lastRead.push(read);
      this.lastStore.push(store);
      return;
    }
    this.lastRead.push(isStore && !isInterlocked ? read : event);
    this.lastStore.push(isStore || isInterlocked ? event : store);
  }

  // ---- Fig. 2

  /** At this point the event's row is still that of lastR(E,p) (for a write: of all that its thread did). */
  private check(event: number, thread: number): void {
    const { writes, past } = this.clock;
    if (past === NONE) return;
    for (let i = 0; i < writes.length; i++) this.checkWrite(event, thread, writes.words[i]!);
  }

  /** Line 7–15, from one write backwards. */
  private checkWrite(event: number, thread: number, last: number): void {
    const { clock, stores, before } = this;
    const { words } = clock.events;
    const at = event * ev.EVENT_WORDS;
    for (let write = last; ; ) {
      const w = write * ev.EVENT_WORDS;
      if (!overlaps(words, w, at)) return;
      const writer = words[w + ev.E_THREAD]!;
      if (writer === thread) return;
      if (stores.get(event, writer) >= stores.get(write, writer)) return;
      if (clock.happensBefore(write, clock.past)) {
        const isPossible = couldComeBefore(clock.events, event, write, (other) => other === write);
        if (isPossible && !this.isHeldBack(event, write)) this.violations.add(event, write, thread);
        return;
      }
      const end = this.endOf(write);
      const begin = this.starts.get(write);
      if (begin === end) return;
      // If it overwrote several writes, because sizes differ, follow each of them.
      for (let i = begin + 1; i < end; i++) this.checkWrite(event, thread, before.get(i));
      write = before.get(begin);
    }
  }

  /**
   * Ours, not in the paper: whether a load that cannot be forwarded, because its thread's store overlaps it without
   * covering it, must wait for that store and with it for `write`.
   */
  private isHeldBack(event: number, write: number): boolean {
    const { writes } = this.clock;
    for (let i = 0; i < writes.length; i++) if (this.isHeldBackFrom(event, write, writes.words[i]!)) return true;
    return false;
  }

  private isHeldBackFrom(event: number, write: number, from: number): boolean {
    const { words } = this.clock.events;
    const at = event * ev.EVENT_WORDS;
    const w = from * ev.EVENT_WORDS;
    if (words[at + ev.E_KIND] !== ev.LOAD_EVENT || from <= write || !overlaps(words, w, at)) return false;
    if (words[w + ev.E_THREAD] === words[at + ev.E_THREAD]) {
      const writer = words[write * ev.EVENT_WORDS + ev.E_THREAD]!;
      return !covers(words, w, at) && this.stores.get(from, writer) >= this.stores.get(write, writer);
    }
    for (let i = this.starts.get(from), end = this.endOf(from); i < end; i++) {
      if (this.isHeldBackFrom(event, write, this.before.get(i))) return true;
    }
    return false;
  }

  /** The end of a write's part of `before`. */
  private endOf(write: number): number {
    return write + 1 < this.starts.length ? this.starts.get(write + 1) : this.before.length;
  }

  // ---- Fig. 3

  private begin(event: number, from: number): void {
    this.loads.copy(event, from);
    this.stores.copy(event, from);
  }

  private join(event: number, other: number): void {
    this.loads.join(event, other);
    this.stores.join(event, other);
  }

  private joinConflicts(event: number, isJoin: boolean): void {
    const { conflicts } = this.clock;
    for (let i = 0; i < conflicts.length; i++) {
      this.join(event, conflicts.words[i]!);
      if (isJoin) this.joinThread(event, conflicts.words[i]!);
    }
  }

  /** Joining an ended thread joins all that it did. */
  private joinThread(event: number, last: number): void {
    if (this.lastRead.get(last) !== NONE) this.join(event, this.lastRead.get(last));
    if (this.lastStore.get(last) !== NONE) this.join(event, this.lastStore.get(last));
  }

  /** mc1[p][a], for every location of a load: what is before it in the relaxed relation. */
  private joinSources(event: number, at: number, thread: number): void {
    const { writes } = this.clock;
    const { words } = this.clock.events;
    for (let i = 0; i < writes.length; i++) {
      const write = writes.words[i]!;
      const w = write * ev.EVENT_WORDS;
      const isOwn = words[w + ev.E_THREAD] === thread && isBuffered(words, w);
      if (!isOwn) this.join(event, words[w + ev.E_THREAD] === thread ? write : this.clock.seenAt(write));
      else if (writes.length === 1 && covers(words, w, at)) this.joinForwarded(event, write);
      else this.join(event, write);
    }
  }

  /** `event` loads the value that its own thread stored in `write`. */
  protected joinForwarded(event: number, write: number): void {
    const { before, starts } = this;
    const { words } = this.clock.events;
    const thread = words[write * ev.EVENT_WORDS + ev.E_THREAD];
    for (let w = write; ; ) {
      const begin = starts.get(w);
      const end = this.endOf(w);
      let own = NONE;
      for (let i = begin; i < end; i++) {
        const earlier = before.get(i);
        const b = earlier * ev.EVENT_WORDS;
        if (words[b + ev.E_THREAD] !== thread || !isBuffered(words, b)) this.join(event, earlier);
        else if (own === NONE) own = earlier;
        else this.joinForwarded(event, earlier);
      }
      if (own === NONE) return;
      w = own;
    }
  }

  /** A load examines the writes to its location back to the one that its thread knows of: nothing can be dropped. */
  lowerLimits(limits: Int32Array): void {
    limits.fill(0);
  }

  markLive(live: Uint8Array): void {
    live.fill(1);
  }

  renumber(): void {
    this.violations.forget();
  }

  rollback(depth: number): void {
    this.violations.rollback(depth);
    if (depth >= this.starts.length) return;
    this.before.length = this.starts.get(depth);
    this.starts.length = depth;
    this.lastRead.length = depth;
    this.lastStore.length = depth;
  }
}

/** An operation on a condition variable, or one that starts or ends an object, and orders nothing. */
function isSignal(does: number, wait: number): boolean {
  return (does & (OBJECT | ALLOCATES)) !== 0 && wait === NO_WAIT;
}

/**
 * The store buffer safety monitor of [SOBER] Fig. 2, with the generalised vector clock of Fig. 3, as published.
 *
 *   paper                            here
 *   timestamp ts of event e          row e, lanes `LOADS` (ts[2*p]) and `STORES` (ts[2*p+1])
 *   lc[p], sc[p]                     the rows of `lastRead`, `lastStore` of p: each includes the earlier ones
 *   mc2[a]                           the rows of what the event conflicts with (`clock.conflicts`)
 *   mc1[p][a]                        the row of the newest write to a, by others or an atomic operation (`joinSources`)
 *   last(E,p), lastR(E,p)            `clock.past`, `lastRead`, whose row the event's is during `check`
 *   write(E,a,c), c - 1              `clock.writes`, `overwritten`
 *   →hb*, →rhb*                      `clock.happensBefore`; Theorem 5, by the writer's store count alone
 *
 * Fig. 2 line 8 has a misprint; [SOBER-TR] has it right: `p = p(write(E,a,c))`.
 *
 * Deviations: accesses have sizes; a load that its own thread's store overlaps without covering happens after that
 * store. Fences, mutexes and thread creation are interlocked operations on another location; one that fails to write
 * only reads. A join waits for no store of its own thread.
 *
 * Errors: as published. Never raises a false alarm. May miss violations, because its axioms of TSO are too strict: a
 * write counts as before every later load of its location, even if the load takes the value of its own thread's store,
 * which says nothing about memory ([MON] Sect. 6; test n6 of x86-TSO). Knows TSO only.
 */

import {
  ALLOCATES,
  BUFFERED,
  BYTES,
  EFFECTS,
  JOINS,
  NO_WAIT,
  OBJECT,
  READS,
  waitOf,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { IntVector } from '../util/int-vector.ts';
import { DistinctEvents } from './distinct-events.ts';
import type { EventClock } from './event-clock.ts';
import { couldComeBefore, covers, isBuffered, overlaps } from './mapping.ts';
import { type Monitor, type Report, Violations } from './monitor.ts';
import { Overwritten } from './overwritten.ts';
import { SharedRows } from './shared-rows.ts';
import { NONE } from './thread-clocks.ts';

// Lanes of the rows.
const LOADS = 0;
const STORES = 1;

export class Sober implements Monitor {
  readonly name: string = 'sober';
  readonly violations: Violations;
  /** Timestamps. */
  readonly rows: SharedRows = new SharedRows(2);
  /** Whether writes are checked as well as loads. */
  protected readonly checksWrites: boolean = false;
  private readonly clock: EventClock;
  /** Per event: its thread's last event that reads, and the last that stores, up to it; `NONE` if there is none. */
  private readonly lastRead = new IntVector();
  private readonly lastStore = new IntVector();
  protected readonly overwritten: Overwritten;
  /** The writes examined for the current event; and the writes on the way to one of them. */
  private readonly examined = new DistinctEvents();
  private readonly passed = new DistinctEvents();

  constructor(clock: EventClock, report?: Report) {
    this.clock = clock;
    this.overwritten = new Overwritten(clock.events);
    this.violations = new Violations(report);
  }

  observe(event: number): void {
    const { clock } = this;
    const { words } = clock.events;
    const at = event * ev.EVENT_WORDS;
    const does = EFFECTS[words[at + ev.E_KIND]!]!;
    const wait = waitOf(words, at);
    const joins = (does & JOINS) !== 0;
    const thread = words[at + ev.E_THREAD]!;
    const read = clock.past === NONE ? NONE : this.lastRead.get(clock.past);
    const store = clock.past === NONE ? NONE : this.lastStore.get(clock.past);
    this.overwritten.begin();
    // A store that reaches memory at once is timestamped like any other.
    const isStore = (does & BUFFERED) !== 0;
    // During an atomic section no other thread's store can reach memory, so its own stores may as well do so at once.
    const isInterlocked = wait !== NO_WAIT || (isStore && clock.isInSection(event));
    if (isStore || isInterlocked) {
      // Fig. 3 line 17–23, 24–32
      for (let i = 0; i < clock.writes.length; i++) this.overwritten.add(clock.writes.words[i]!);
      this.begin(event, read);
      if (store !== NONE) this.rows.join(event, store);
      if (this.checksWrites) this.check(event, thread);
      this.joinConflicts(event, false);
      this.count(event, thread, STORES);
      if (isInterlocked) this.count(event, thread, LOADS);
    } else if ((does & (READS | BYTES)) === (READS | BYTES)) {
      // Fig. 3 line 12–16
      this.begin(event, read);
      this.check(event, thread);
      this.joinSources(event, at, thread);
      this.count(event, thread, LOADS);
    } else if (joins || isSignal(does, wait)) {
      // Ours, not in the paper: an operation on a condition variable happens at once and waits for no store. So does an
      // allocation, which comes after everything done to its bytes before. A join waits for the stores of the thread
      // that has ended, not for those of its own thread.
      this.begin(event, read);
      this.joinConflicts(event, joins);
      this.count(event, thread, LOADS);
    } else {
      this.begin(event, NONE);
      this.lastRead.push(read);
      this.lastStore.push(store);
      return;
    }
    this.lastRead.push(isStore && !isInterlocked ? read : event);
    this.lastStore.push(isStore || isInterlocked ? event : store);
  }

  // ---- Fig. 2

  /**
   * Line 7–15, from the last writes backwards. At this point the event's row is still that of lastR(E,p); for a write:
   * that of everything its thread did.
   */
  private check(event: number, thread: number): void {
    const { clock, examined, overwritten } = this;
    const { writes } = clock;
    const { words } = clock.events;
    if (clock.past === NONE || writes.length === 0) return;
    const at = event * ev.EVENT_WORDS;
    const start = words[at + ev.E_ADDRESS]!;
    const end = start + words[at + ev.E_SIZE]!;
    examined.clear();
    for (let i = 0; i < writes.length; i++) examined.add(writes.words[i]!);
    for (let i = 0; i < examined.length; i++) {
      const write = examined.words[i]!;
      if (!this.goesOn(event, thread, write)) continue;
      // If it overwrote several writes, because sizes differ, follow each of them.
      for (let edge = overwritten.first(write); edge < overwritten.end(write); edge = overwritten.following(edge)) {
        if (overwritten.isOpen(edge, start, end)) examined.add(overwritten.write(edge));
      }
    }
  }

  /**
   * Whether the event's thread does not know the write, so that an older one may matter. If the thread knows it,
   * reports the violation if there is one.
   */
  private goesOn(event: number, thread: number, write: number): boolean {
    const { clock, rows } = this;
    const { words } = clock.events;
    const w = write * ev.EVENT_WORDS;
    if (!overlaps(words, w, event * ev.EVENT_WORDS)) return false;
    const writer = words[w + ev.E_THREAD]!;
    if (writer === thread || (words[w + ev.E_FLAGS]! & ev.AT_ONCE) !== 0) return false;
    if (rows.get(event, writer, STORES) >= rows.get(write, writer, STORES)) return false;
    if (!clock.happensBefore(write, clock.past)) return true;
    const isPossible = couldComeBefore(clock.events, event, write, (other) => other === write);
    if (isPossible && !this.isHeldBack(event, write)) this.violations.add(event, write, thread);
    return false;
  }

  /**
   * Ours, not in the paper: whether a load that cannot be forwarded, because its thread's store overlaps it without
   * covering it, must wait for that store and with it for `write`.
   */
  private isHeldBack(event: number, write: number): boolean {
    const { passed, overwritten, rows } = this;
    const { writes } = this.clock;
    const { words } = this.clock.events;
    const at = event * ev.EVENT_WORDS;
    if (words[at + ev.E_KIND] !== ev.LOAD_EVENT) return false;
    const start = words[at + ev.E_ADDRESS]!;
    const end = start + words[at + ev.E_SIZE]!;
    const writer = words[write * ev.EVENT_WORDS + ev.E_THREAD]!;
    passed.clear();
    for (let i = 0; i < writes.length; i++) passed.add(writes.words[i]!);
    for (let i = 0; i < passed.length; i++) {
      const from = passed.words[i]!;
      const w = from * ev.EVENT_WORDS;
      if (from <= write || !overlaps(words, w, at)) continue;
      if (words[w + ev.E_THREAD] === words[at + ev.E_THREAD]) {
        if (!covers(words, w, at) && rows.get(from, writer, STORES) >= rows.get(write, writer, STORES)) return true;
        continue;
      }
      for (let edge = overwritten.first(from); edge < overwritten.end(from); edge = overwritten.following(edge)) {
        if (overwritten.isOpen(edge, start, end)) passed.add(overwritten.write(edge));
      }
    }
    return false;
  }

  // ---- Fig. 3

  private begin(event: number, from: number): void {
    this.rows.begin(event, from, this.clock.width);
  }

  private count(event: number, thread: number, lane: number): void {
    this.rows.set(event, thread, this.rows.get(event, thread, lane) + 1, lane);
  }

  private joinConflicts(event: number, isJoin: boolean): void {
    const { conflicts } = this.clock;
    for (let i = 0; i < conflicts.length; i++) {
      this.rows.join(event, conflicts.words[i]!);
      if (isJoin) this.joinThread(event, conflicts.words[i]!);
    }
  }

  /** A join also joins all that the ended thread did. */
  private joinThread(event: number, last: number): void {
    if (this.lastRead.get(last) !== NONE) this.rows.join(event, this.lastRead.get(last));
    if (this.lastStore.get(last) !== NONE) this.rows.join(event, this.lastStore.get(last));
  }

  /** mc1[p][a], for every location of a load: what is before the load in the relaxed relation. */
  private joinSources(event: number, at: number, thread: number): void {
    const { writes } = this.clock;
    const { words } = this.clock.events;
    for (let i = 0; i < writes.length; i++) {
      const write = writes.words[i]!;
      const w = write * ev.EVENT_WORDS;
      const isOwn = words[w + ev.E_THREAD] === thread && isBuffered(words, w);
      if (!isOwn) this.rows.join(event, words[w + ev.E_THREAD] === thread ? write : this.clock.seenAt(write));
      else if (writes.length === 1 && covers(words, w, at)) this.joinForwarded(event, write);
      else this.rows.join(event, write);
    }
  }

  /** `event` loads a value that its own thread stored in `write`: what is before that store is before `event`. */
  protected joinForwarded(event: number, write: number): void {
    this.passed.clear();
    this.passed.add(write);
    this.visitSources((earlier) => this.rows.join(event, earlier));
  }

  /**
   * Goes back from the stores in `passed`, and calls `visit` for the first write on each path that is not a buffered
   * store of the same thread. Does not continue from stores for which `isEnd` holds.
   */
  private visitSources(visit: (earlier: number) => void, isEnd?: (store: number) => boolean): void {
    const { passed, overwritten } = this;
    const { words } = this.clock.events;
    for (let i = 0; i < passed.length; i++) {
      const store = passed.words[i]!;
      const thread = words[store * ev.EVENT_WORDS + ev.E_THREAD];
      for (let edge = overwritten.first(store); edge < overwritten.end(store); edge = overwritten.following(edge)) {
        const earlier = overwritten.write(edge);
        const at = earlier * ev.EVENT_WORDS;
        if (words[at + ev.E_THREAD] !== thread || !isBuffered(words, at)) visit(earlier);
        else if (isEnd?.(earlier) !== true) passed.add(earlier);
      }
    }
  }

  // ---- forgetting

  /** A thread whose creation is not in the log may begin at any time, knowing nothing: no event is settled for it. */
  lowerLimits(limits: Int32Array): void {
    limits.fill(0);
  }

  /** Keeps each thread's last rows. What is kept of the history of a location is in `overwritten.ts`. */
  markLive(live: Uint8Array): void {
    const { clock, overwritten, rows } = this;
    const { words } = clock.events;
    /** By thread: how many of its stores its last read knows. */
    const known = new Int32Array(clock.width);
    for (let thread = 0; thread < clock.width; thread++) {
      const last = clock.lastOf(thread);
      if (last === NONE) continue;
      const [read, store] = [this.lastRead.get(last), this.lastStore.get(last)];
      if (read !== NONE) {
        live[read] = 1;
        known[thread] = rows.get(read, thread, STORES);
      }
      if (store !== NONE) live[store] = 1;
    }
    const isSettled = (write: number): boolean => {
      const thread = words[write * ev.EVENT_WORDS + ev.E_THREAD]!;
      return known[thread]! >= rows.get(write, thread, STORES);
    };
    overwritten.beginForgetting();
    this.needSources(live, isSettled);
    overwritten.settle(live, { isSettled, separates: (write, newer) => clock.separates(write, newer) });
  }

  /**
   * A load of a value that its own thread stored needs what is before the store, unless the thread knows that already.
   */
  protected needSources(live: Uint8Array, isSettled: (write: number) => boolean): void {
    const { words } = this.clock.events;
    this.passed.clear();
    for (let e = 0; e < live.length; e++) {
      if (live[e] === 1 && isBuffered(words, e * ev.EVENT_WORDS) && !isSettled(e)) this.passed.add(e);
    }
    this.visitSources((earlier) => this.overwritten.need(earlier), isSettled);
  }

  renumber(kept: Int32Array, numbers: Int32Array): void {
    const renamed = (event: number): number =>
      event !== NONE && kept[numbers[event]!] === event ? numbers[event]! : NONE;
    this.violations.forget();
    this.rows.keep(kept);
    this.overwritten.renumber(kept, numbers);
    for (let to = 0; to < kept.length; to++) {
      this.lastRead.words[to] = renamed(this.lastRead.get(kept[to]!));
      this.lastStore.words[to] = renamed(this.lastStore.get(kept[to]!));
    }
    this.lastRead.length = kept.length;
    this.lastStore.length = kept.length;
  }

  rollback(depth: number): void {
    this.violations.rollback(depth);
    this.rows.rollback(depth);
    this.overwritten.rollback(depth);
    if (depth >= this.lastRead.length) return;
    this.lastRead.length = depth;
    this.lastStore.length = depth;
  }
}

/** An operation that orders nothing: on a condition variable, or one that starts or ends an object. */
function isSignal(does: number, wait: number): boolean {
  return (does & (OBJECT | ALLOCATES)) !== 0 && wait === NO_WAIT;
}

/**
 * The verdicts of `causal-tso` and `causal-pso` where happens-before is already known, as in Optimal-DPOR. Has no
 * separate clocks, and runs when an execution has ended.
 *
 * For an access by p, only the few stores w of other threads that happen before p's previous event are examined: does
 * the causal past of that event leave w in its buffer? The event that forces w to memory is nearly always p's previous
 * event or close to it: the unlock, or the store of a flag that was read. So the past is searched backwards from there
 * until such an event is found; if there is none, this is a violation. The clocks of `causal-tso.ts` and
 * `causal-pso.ts` are for streams, where looking back is impossible.
 *
 * Not for programs with atomic sections. Errors: as in those monitors; accesses of different sizes are reported
 * separately (`MixedReport`).
 */

import {
  BYTES,
  CREATES,
  DRAINS,
  EFFECTS,
  effectsOf,
  FREES,
  isBarrier,
  JOINS,
  NO_WAIT,
  waitOf,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { RUNNABLE, T_STATUS } from '../machine/state/layout.ts';
import { AccessLists, maskOf, NO_ENTRY } from '../trace/access-lists.ts';
import { IntVector, larger } from '../util/int-vector.ts';
import { Candidates, type Order } from './candidates.ts';
import { couldComeBefore, couldGoOn, covers, isBuffered } from './mapping.ts';
import type { PredictedBuffers } from './monitors.ts';
import { NONE } from './thread-clocks.ts';

/** Happens-before between the events of an execution. */
export interface CausalOrder extends Order {
  /** Call before asking about events that no memory access has followed. */
  catchUp?(): void;
}

/**
 * `event` accesses bytes of several writes, or of one that does not cover it, and `write` may still be pending. It
 * could come after one of them and before the other, and so close a cycle on its own, which no monitor sees.
 */
type MixedReport = (buffers: PredictedBuffers, event: number, write: number) => void;

/**
 * `event` of `thread`, whose previous event is `past`, could have come before `write`; compare `Report` in
 * `monitor.ts`.
 */
type CausalReport = (buffers: PredictedBuffers, event: number, write: number, thread: number, past: number) => void;

// What is kept about each event.
const M_PREVIOUS = 0; // the previous event of its thread
const M_LIST_END = 1; // where its part of the lists begins
const M_SEEN = 2; // where the last writes to its bytes begin in `seen`; they end where those of the next event begin
const M_EPOCH = 3; // store–store barriers that its thread has executed
const MEMO_WORDS = 4;

export class CausalScan {
  private readonly machine: Machine;
  private readonly order: CausalOrder;
  private readonly report: CausalReport;
  private readonly reportMixed: MixedReport;
  private readonly watches: Record<PredictedBuffers, boolean>;
  private length = 0;
  private memos = new Int32Array(MEMO_WORDS * 64);
  private readonly seen = new IntVector();
  /** The writes that the access being examined could have come before. */
  private readonly candidates = new Candidates();
  private readonly lists = new AccessLists();
  private last = new Int32Array(16).fill(NONE);
  private created = new Int32Array(16).fill(NONE);
  private past = NONE;
  private readonly pendingTso = (other: number): boolean => this.isPendingTso(other, this.past);
  private readonly pendingPso = (other: number): boolean => this.isPendingPso(other, this.past);

  constructor(
    machine: Machine,
    order: CausalOrder,
    predicts: readonly PredictedBuffers[],
    report: CausalReport,
    reportMixed: MixedReport = () => {},
  ) {
    this.machine = machine;
    this.order = order;
    this.report = report;
    this.reportMixed = reportMixed;
    this.watches = { thread: predicts.includes('thread'), location: predicts.includes('location') };
  }

  /** Stops reporting for models with these buffers. */
  ignore(buffers: PredictedBuffers): void {
    this.watches[buffers] = false;
  }

  /** Call at the end of every execution. */
  conclude(): void {
    const { events } = this.machine;
    let end = events.length;
    // Joins at the end affect nothing.
    while (end > this.length && (effectsOf(events, end - 1) & JOINS) !== 0) end--;
    this.addUpTo(end);
    this.checkWaiting();
  }

  private addUpTo(end: number): void {
    for (let event = this.length; event < end; event++) this.add(event);
  }

  rollback(depth: number): void {
    if (depth >= this.length) return;
    const { words } = this.machine.events;
    const { memos } = this;
    this.lists.truncate(memos[depth * MEMO_WORDS + M_LIST_END]!);
    this.seen.length = memos[depth * MEMO_WORDS + M_SEEN]!;
    for (let e = this.length - 1; e >= depth; e--) {
      const at = e * ev.EVENT_WORDS;
      this.last[words[at + ev.E_THREAD]!] = memos[e * MEMO_WORDS + M_PREVIOUS]!;
      if (words[at + ev.E_KIND] !== ev.SPAWN_EVENT) continue;
      const child = words[at + ev.E_OTHER]!;
      if (child >= 0) this.created[child] = NONE;
    }
    this.length = depth;
  }

  private add(event: number): void {
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const thread = words[at + ev.E_THREAD]!;
    this.fit(event, thread);
    const previous = this.last[thread]!;
    const memo = event * MEMO_WORDS;
    const { memos } = this;
    memos[memo + M_PREVIOUS] = previous;
    memos[memo + M_LIST_END] = this.lists.end;
    memos[memo + M_SEEN] = this.seen.length;
    memos[memo + M_EPOCH] = (previous === NONE ? 0 : this.epochOf(previous)) + (isBarrier(words, at) ? 1 : 0);
    this.length = event + 1;
    this.last[thread] = event;
    const does = EFFECTS[words[at + ev.E_KIND]!]!;
    if ((does & CREATES) !== 0) {
      const child = words[at + ev.E_OTHER]!;
      this.fit(event, child);
      if (child >= 0) this.created[child] = event;
    } else if ((does & BYTES) !== 0) {
      this.see(words[at + ev.E_ADDRESS]!, words[at + ev.E_SIZE]!);
      const past = previous === NONE ? this.created[thread]! : previous;
      const from = memos[memo + M_SEEN]!;
      if (this.seen.length > from) {
        if (past !== NONE) this.check(event, thread, past);
        const isMixed = this.seen.length > from + 1 || !covers(words, this.seen.words[from]! * ev.EVENT_WORDS, at);
        // An access that can race with the end of its object is an error under SC already.
        if (isMixed && (does & FREES) === 0) this.checkMixed(event, thread, past);
      }
      if ((words[at + ev.E_FLAGS]! & ev.WROTE_MEMORY) !== 0 || (does & FREES) !== 0) this.write(event, at);
    }
  }

  private fit(event: number, thread: number): void {
    if ((event + 1) * MEMO_WORDS > this.memos.length) this.memos = larger(this.memos);
    while (thread >= this.last.length) {
      this.last = larger(this.last, NONE);
      this.created = larger(this.created, NONE);
    }
  }

  // ---- accesses

  /** Adds to `seen` the last writes to these bytes, each once. */
  private see(address: number, size: number): void {
    const { lists, seen } = this;
    const start = seen.length;
    const end = address + size;
    for (let word = address >> 2; word << 2 < end; word++) {
      let rest = maskOf(word, address, end);
      const list = lists.list(word);
      for (let n = lists.lastWrite(list); n !== NO_ENTRY && rest !== 0; n = lists.previous(n)) {
        const overlap = lists.mask(n) & rest;
        if (overlap === 0) continue;
        rest &= ~overlap;
        const write = lists.event(n);
        let i = start;
        while (i < seen.length && seen.words[i] !== write) i++;
        if (i === seen.length) seen.push(write);
      }
    }
  }

  private write(event: number, at: number): void {
    const { lists } = this;
    const { words } = this.machine.events;
    const address = words[at + ev.E_ADDRESS]!;
    const end = address + words[at + ev.E_SIZE]!;
    for (let word = address >> 2; word << 2 < end; word++) {
      lists.addWrite(lists.list(word), event, maskOf(word, address, end));
    }
  }

  private epochOf(event: number): number {
    return this.memos[event * MEMO_WORDS + M_EPOCH]!;
  }
  private seenFrom(event: number): number {
    return this.memos[event * MEMO_WORDS + M_SEEN]!;
  }
  private seenTo(event: number): number {
    return event + 1 < this.length ? this.memos[(event + 1) * MEMO_WORDS + M_SEEN]! : this.seen.length;
  }

  // ---- violations

  private check(event: number, thread: number, past: number): void {
    const { events } = this.machine;
    const { words } = events;
    const { candidates } = this;
    const at = event * ev.EVENT_WORDS;
    this.past = past;
    this.findCandidates(words[at + ev.E_ADDRESS]!, words[at + ev.E_SIZE]!, thread, past);
    for (let i = 0; i < candidates.length; i++) {
      const write = candidates.words[i]!;
      if (this.watches.thread && this.isPendingTso(write, past)) {
        const isPossible = couldComeBefore(events, event, write, this.pendingTso);
        if (isPossible) this.report('thread', event, write, thread, past);
      }
      if (this.watches.location && this.isPendingPso(write, past)) {
        const isPossible = couldComeBefore(events, event, write, this.pendingPso);
        if (isPossible) this.report('location', event, write, thread, past);
      }
    }
  }

  private checkMixed(event: number, thread: number, past: number): void {
    const { words } = this.machine.events;
    for (let i = this.seenFrom(event); i < this.seen.length; i++) {
      const write = this.seen.words[i]!;
      const w = write * ev.EVENT_WORDS;
      if (words[w + ev.E_THREAD] === thread || !isBuffered(words, w)) continue;
      if (this.watches.thread && this.isPendingTso(write, past)) this.reportMixed('thread', event, write);
      if (this.watches.location && this.isPendingPso(write, past)) this.reportMixed('location', event, write);
    }
  }

  /**
   * Reports the operations at which threads wait when the execution ends, if they could have come before a store
   * reached memory.
   */
  private checkWaiting(): void {
    const { threads, upcoming, processes, events } = this.machine;
    const event = events.length;
    for (let thread = 0; thread < processes.threadCount; thread++) {
      if (!threads.exists(thread) || threads.get(thread, T_STATUS) !== RUNNABLE) continue;
      const awaiting = upcoming.awaiting(thread);
      if (awaiting === undefined) continue;
      this.addUpTo(event);
      this.fit(event, thread);
      const past = this.last[thread]! === NONE ? this.created[thread]! : this.last[thread]!;
      if (past === NONE) continue;
      this.order.catchUp?.();
      const { address, predicate, bound } = awaiting;
      const { candidates } = this;
      this.findCandidates(address, 4, thread, past);
      for (let i = 0; i < candidates.length; i++) {
        const write = candidates.words[i]!;
        if (this.watches.thread && this.isPendingTso(write, past)) {
          const isPossible = couldGoOn(events, address, predicate, bound, write, (w) => this.isPendingTso(w, past));
          if (isPossible) this.report('thread', event, write, thread, past);
        }
        if (this.watches.location && this.isPendingPso(write, past)) {
          const isPossible = couldGoOn(events, address, predicate, bound, write, (w) => this.isPendingPso(w, past));
          if (isPossible) this.report('location', event, write, thread, past);
        }
      }
    }
  }

  /** Sets `candidates` for an access to these bytes by `thread` after `past`. */
  private findCandidates(address: number, size: number, thread: number, past: number): void {
    const { lists, candidates, order } = this;
    const { words } = this.machine.events;
    const end = address + size;
    candidates.clear();
    for (let word = address >> 2; word << 2 < end; word++) {
      candidates.find(lists, lists.list(word), maskOf(word, address, end), words, thread, past, order);
    }
  }

  /** Whether neither `past` nor anything that happens before it forces `write` to memory. */
  private isPendingTso(write: number, past: number): boolean {
    const { words } = this.machine.events;
    const w = write * ev.EVENT_WORDS;
    const writer = words[w + ev.E_THREAD]!;
    const index = words[w + ev.E_INDEX]!;
    for (let f = past; f > write; f--) {
      if (this.forcesTso(f, writer, index) && (f === past || this.order.happensBefore(f, past))) return false;
    }
    return true;
  }

  /** Whether `event` forces the store of `writer` with this index, or a later one, to memory. */
  private forcesTso(event: number, writer: number, index: number): boolean {
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND];
    const isOwn = words[at + ev.E_THREAD] === writer;
    if (isOwn && waitOf(words, at) !== NO_WAIT) return true;
    if (isOwn && kind !== ev.LOAD_EVENT) return false;
    if (kind === ev.JOIN_EVENT) return words[at + ev.E_OTHER] === writer;
    const from = this.seenFrom(event);
    const to = this.seenTo(event);
    for (let i = from; i < to; i++) {
      const s = this.seen.words[i]! * ev.EVENT_WORDS;
      if (words[s + ev.E_THREAD] !== writer || words[s + ev.E_INDEX]! < index) continue;
      // A load is forwarded from its own thread's store, unless the store covers only a part of it.
      if (!isOwn || to - from > 1 || !covers(words, s, at)) return true;
    }
    return false;
  }

  private isPendingPso(write: number, past: number): boolean {
    const { words } = this.machine.events;
    const w = write * ev.EVENT_WORDS;
    const writer = words[w + ev.E_THREAD]!;
    const epoch = this.epochOf(write);
    for (let f = past; f > write; f--) {
      if (this.forcesPso(f, write, writer, epoch) && (f === past || this.order.happensBefore(f, past))) return false;
    }
    // Later stores to the same bytes stay behind it: if one of them has been forced, so has this one.
    for (let f = write + 1; f < this.length; f++) {
      if (this.isOver(f, write) && !this.isPendingPso(f, past)) return false;
    }
    return true;
  }

  private forcesPso(event: number, write: number, writer: number, epoch: number): boolean {
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND];
    const isOwn = words[at + ev.E_THREAD] === writer;
    const wait = isOwn ? waitOf(words, at) : NO_WAIT;
    if (wait === DRAINS) return true;
    if (wait !== NO_WAIT && this.epochOf(event) > epoch) return true;
    if (isOwn && wait === NO_WAIT && kind !== ev.LOAD_EVENT) return false;
    if (kind === ev.JOIN_EVENT) return words[at + ev.E_OTHER] === writer;
    const from = this.seenFrom(event);
    const to = this.seenTo(event);
    for (let i = from; i < to; i++) {
      const seen = this.seen.words[i]!;
      const s = seen * ev.EVENT_WORDS;
      if (words[s + ev.E_THREAD] !== writer || !isBuffered(words, s)) continue;
      if (seen !== write && this.epochOf(seen) <= epoch) continue;
      if (!isOwn || wait !== NO_WAIT || to - from > 1 || !covers(words, s, at)) return true;
    }
    return false;
  }

  /**
   * Whether `event` is a store of the same thread that overlaps the store `write` and matters to it, as in
   * `overlaps.ts`.
   */
  private isOver(event: number, write: number): boolean {
    const { words } = this.machine.events;
    const [at, w] = [event * ev.EVENT_WORDS, write * ev.EVENT_WORDS];
    if (words[at + ev.E_THREAD] !== words[w + ev.E_THREAD] || !isBuffered(words, at)) return false;
    for (let i = this.seenFrom(event), to = this.seenTo(event); i < to; i++) {
      if (this.seen.words[i] === write) return !covers(words, at, w) || this.isOverAny(write);
    }
    return false;
  }

  private isOverAny(store: number): boolean {
    const { words } = this.machine.events;
    for (let i = this.seenFrom(store), to = this.seenTo(store); i < to; i++) {
      const under = this.seen.words[i]!;
      if (isBuffered(words, under * ev.EVENT_WORDS) && this.isOver(store, under)) return true;
    }
    return false;
  }
}

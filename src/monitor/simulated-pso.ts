/**
 * What the PSO monitors `pso` and `causal-pso` share: a simulated PSO execution with the trace of the SC execution, in
 * which stores reach memory as late as possible. Buffers are per location, so each store is tracked separately:
 *
 *   here                            meaning
 *   `epochOf` an event              store–store barriers executed by its thread, including one before a release store
 *   entry q of lane `drained`       index of the last event of q at which all its buffers were empty
 *   entry q of lane `epoch`         everything of q from epochs before this one has reached memory
 *   `forcedBy`, row w, entry r      the first event of r at which store w must have reached memory: r accesses its
 *                                   bytes; or r is w's own thread and had to wait for it, for an atomic operation on
 *                                   its bytes or for a load that it overlaps without covering it
 *   `over`, of a store              later overlapping stores of its thread, as in `overlaps.ts`: they stay behind it
 *
 * `forcedBy` and `over` record facts about earlier events, so they need a journal.
 */

import { DRAINS, isBarrier, NO_WAIT, waitOf } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { IntVector, larger } from '../util/int-vector.ts';
import type { EventClock } from './event-clock.ts';
import { ForcedBy } from './forced-by.ts';
import { covers, isBuffered } from './mapping.ts';
import type { Report } from './monitor.ts';
import { Overlaps } from './overlaps.ts';
import type { SharedRows } from './shared-rows.ts';
import { SimulatedBuffers } from './simulated-buffers.ts';
import { NONE } from './thread-clocks.ts';

// What is kept about each event.
const M_MARK = 0; // where its part of the journal begins
const M_EPOCH = 1;
const MEMO_WORDS = 2;

export abstract class SimulatedPso extends SimulatedBuffers {
  /** Lanes of `rows`. */
  protected readonly drained: number;
  protected readonly epoch: number;
  protected readonly forcedBy: ForcedBy = new ForcedBy();
  private readonly over = new Overlaps();
  /** Row and entry of every write to `forcedBy`. */
  private readonly journal = new IntVector();
  private memos = new Int32Array(MEMO_WORDS * 64);
  private length = 0;
  /** Per thread: the epoch of its last event, as long as nothing rolls back. */
  private epochs = new Int32Array(8192);

  constructor(clock: EventClock, rows: SharedRows, drained: number, epoch: number, report?: Report) {
    super(clock, rows, report);
    this.drained = drained;
    this.epoch = epoch;
  }

  /** Whether an event that forces `write` directly counts when `event` runs. */
  protected abstract isForced(event: number, write: number): boolean;

  override observe(event: number): void {
    const { clock } = this;
    const { words } = clock.events;
    const at = event * ev.EVENT_WORDS;
    const thread = words[at + ev.E_THREAD]!;
    const memo = event * MEMO_WORDS;
    if (memo === this.memos.length) this.memos = larger(this.memos);
    if (thread >= this.epochs.length) this.epochs = larger(this.epochs);
    // A new thread starts at 0. In a log, a thread that reuses the slot of an ended one continues its count.
    const before = words[at + ev.E_INDEX] === 1 ? 0 : clock.isFirst ? this.epochs[thread]! : this.epochOf(clock.past);
    const epoch = before + (isBarrier(words, at) ? 1 : 0);
    this.epochs[thread] = epoch;
    this.memos[memo + M_MARK] = this.journal.length;
    this.memos[memo + M_EPOCH] = epoch;
    this.length = event + 1;
    if (clock.writes.length > 0) this.check(event, thread);
    this.begin(event);
    const wait = waitOf(words, at);
    if (clock.writes.length > 0) this.forceConflicting(event, at, thread, wait);
    if (wait === DRAINS) this.rows.set(event, thread, words[at + ev.E_INDEX]!, this.drained);
    else if (wait !== NO_WAIT) this.rows.raise(event, thread, epoch, this.epoch);
    else this.observeOther(event, at, thread);
  }

  private epochOf(event: number): number {
    return this.memos[event * MEMO_WORDS + M_EPOCH]!;
  }

  private observeOther(event: number, at: number, thread: number): void {
    const { words } = this.clock.events;
    if (isBuffered(words, at)) {
      this.forcedBy.fit(event, this.clock.width);
      this.forcedBy.clear(event);
      this.over.begin(event);
      const { writes } = this.clock;
      for (let i = 0; i < writes.length; i++) {
        const w = writes.words[i]! * ev.EVENT_WORDS;
        if (words[w + ev.E_THREAD] !== thread || !isBuffered(words, w)) continue;
        this.over.add(event, writes.words[i]!, covers(words, at, w));
      }
    } else if (words[at + ev.E_KIND] === ev.JOIN_EVENT) {
      const child = words[at + ev.E_OTHER]!;
      // One past its last event.
      if (child >= 0) this.rows.set(event, child, this.clock.knows(event, child) + 1, this.drained);
    }
  }

  protected override isPending(event: number, write: number): boolean {
    if (!this.isPendingAlone(event, write)) return false;
    return this.over.first(write) === 0 || this.arePendingBehind(event, write);
  }

  /** The same without considering the stores that stay behind it. */
  private isPendingAlone(event: number, write: number): boolean {
    const known = this.known(event);
    if (known !== NONE) {
      const { words } = this.clock.events;
      const w = write * ev.EVENT_WORDS;
      const thread = words[w + ev.E_THREAD]!;
      if (this.rows.get(known, thread, this.drained) > words[w + ev.E_INDEX]!) return false;
      if (this.rows.get(known, thread, this.epoch) > this.epochOf(write)) return false;
    }
    return !this.isForced(event, write);
  }

  /**
   * Whether no store that stays behind this one, directly or through others, has reached memory. Chains may be long.
   */
  private arePendingBehind(event: number, write: number): boolean {
    const { over } = this;
    const seen = new Set([write]);
    for (const store of seen) {
      for (let link = over.first(store); link !== 0; link = over.next(link)) {
        const behind = over.store(link);
        if (seen.has(behind)) continue;
        if (!this.isPendingAlone(event, behind)) return false;
        seen.add(behind);
      }
    }
    return true;
  }

  /** Other threads' writes to the event's bytes have reached memory; so have the stores that it had to wait for. */
  private forceConflicting(event: number, at: number, thread: number, wait: number): void {
    const { writes } = this.clock;
    const { words } = this.clock.events;
    const kind = words[at + ev.E_KIND];
    for (let i = 0; i < writes.length; i++) {
      const write = writes.words[i]!;
      const w = write * ev.EVENT_WORDS;
      if (!isBuffered(words, w)) continue;
      const writer = words[w + ev.E_THREAD]!;
      if (writer === thread) {
        const waits = kind === ev.LOAD_EVENT ? writes.length > 1 || !covers(words, w, at) : wait !== NO_WAIT;
        if (!waits) continue;
      }
      this.rows.raise(event, writer, this.epochOf(write), this.epoch);
      this.force(write, thread, words[at + ev.E_INDEX]!);
    }
  }

  /**
   * Records that the store has reached memory by this event of the thread; returns false if it had by an earlier one.
   */
  protected force(write: number, thread: number, index: number): boolean {
    this.forcedBy.fit(write, this.clock.width);
    if (this.forcedBy.get(write, thread) !== 0) return false;
    this.forcedBy.set(write, thread, index);
    this.journal.push(write);
    this.journal.push(thread);
    return true;
  }

  override lowerLimits(limits: Int32Array): void {
    this.rows.lower(limits, this.views(), this.drained, 1);
  }

  override markLive(live: Uint8Array): void {
    // The stores that stay behind a store are later ones, so one pass is enough.
    for (let e = 0; e < this.length; e++) {
      if (live[e] === 0 || !isBuffered(this.clock.events.words, e * ev.EVENT_WORDS)) continue;
      for (let link = this.over.first(e); link !== 0; link = this.over.next(link)) live[this.over.store(link)] = 1;
    }
  }

  override renumber(kept: Int32Array, numbers: Int32Array): void {
    const { memos } = this;
    super.renumber(kept, numbers);
    this.forcedBy.fit(this.length, this.clock.width);
    this.forcedBy.keep(kept, (event) => isBuffered(this.clock.events.words, event * ev.EVENT_WORDS));
    this.over.renumber(kept, numbers);
    this.journal.clear();
    for (let to = 0; to < kept.length; to++) {
      memos[to * MEMO_WORDS + M_MARK] = 0;
      memos[to * MEMO_WORDS + M_EPOCH] = memos[kept[to]! * MEMO_WORDS + M_EPOCH]!;
    }
    this.length = kept.length;
  }

  override rollback(depth: number): void {
    super.rollback(depth);
    if (depth >= this.length) return;
    const { journal, forcedBy } = this;
    const end = this.memos[depth * MEMO_WORDS + M_MARK]!;
    for (let i = end; i < journal.length; i += 2) forcedBy.set(journal.get(i), journal.get(i + 1), 0);
    journal.length = end;
    this.length = depth;
    this.over.rollback(depth);
  }
}

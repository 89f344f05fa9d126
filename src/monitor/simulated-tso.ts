/**
 * What the TSO monitors `tso` and `causal-tso` share: a simulated TSO execution with the trace of the SC execution, in
 * which stores reach memory as late as that allows.
 *
 *   here                    meaning
 *   entry q of event e's    index of the newest store of q that has reached memory; buffers are first in, first out, so all
 *   row, lane `committed`    before it have as well. An upper bound of what is needed: indices of other events of q may
 *                           stand for the stores before them
 *   `known(event)`          the row that says what has reached memory when `event` is about to run
 *
 * The two differ in which events count for `known`: see there.
 */
import * as ev from '../machine/event.ts';
import type { Awaiting } from '../machine/operations.ts';
import type { ClockRows } from './clock-rows.ts';
import { type EventClock, NONE } from './event-clock.ts';
import { couldComeBefore, couldGoOn, covers, isBuffered, NO_WAIT, waitOf } from './mapping.ts';
import { type Monitor, type Report, Violations } from './monitor.ts';

export abstract class SimulatedTso implements Monitor {
  abstract readonly name: string;
  readonly model = 'tso';
  readonly violations: Violations;
  protected readonly clock: EventClock;
  /** In this lane of `rows`. */
  protected readonly committed: number;
  protected readonly rows: ClockRows;

  constructor(clock: EventClock, rows: ClockRows, committed: number, report?: Report) {
    this.clock = clock;
    this.rows = rows;
    this.committed = committed;
    this.violations = new Violations(report);
  }

  /** The row of what has reached memory when `event`, observed by the clock but not yet here, runs; or `NONE`. */
  protected abstract known(event: number): number;
  /** Sees to it that row `event` is what has reached memory by all that happens before it, as far as that counts. */
  protected abstract begin(event: number): void;

  observe(event: number): void {
    const { clock, rows, committed } = this;
    const { writes } = clock;
    const { words } = clock.events;
    const at = event * ev.EVENT_WORDS;
    const thread = words[at + ev.E_THREAD]!;
    if (writes.length > 0 && clock.past !== NONE) this.check(event, thread);
    this.begin(event);
    if (writes.length > 0) this.forceConflicting(event, at, thread);
    if (waitOf(words, at) !== NO_WAIT) rows.set(event, thread, words[at + ev.E_INDEX]!, committed);
    else if (words[at + ev.E_KIND] === ev.JOIN_EVENT) {
      const child = words[at + ev.E_OTHER]!;
      if (child >= 0) rows.set(event, child, clock.rows.get(event, child), committed);
    }
  }

  private check(event: number, thread: number): void {
    const { events, writes } = this.clock;
    for (let i = 0; i < writes.length; i++) {
      const write = writes.words[i]!;
      if (!this.isDelayed(event, thread, write)) continue;
      if (!couldComeBefore(events, event, write, (other) => this.isPending(event, other))) continue;
      this.violations.add(event, write, thread);
    }
  }

  checkWaiting(thread: number, { address, predicate, bound }: Awaiting): void {
    const { events, writes, past, length } = this.clock;
    if (past === NONE) return;
    for (let i = 0; i < writes.length; i++) {
      const write = writes.words[i]!;
      if (!this.isDelayed(length, thread, write)) continue;
      if (!couldGoOn(events, address, predicate, bound, write, (other) => this.isPending(length, other))) continue;
      this.violations.add(length, write, thread);
    }
  }

  /** Whether `write` could reach memory only after `event` of `thread`, before which it happened. */
  private isDelayed(event: number, thread: number, write: number): boolean {
    const { clock } = this;
    const { words } = clock.events;
    const w = write * ev.EVENT_WORDS;
    if (words[w + ev.E_THREAD] === thread || !isBuffered(words, w)) return false;
    return clock.happensBefore(write, clock.past) && this.isPending(event, write);
  }

  private isPending(event: number, write: number): boolean {
    const known = this.known(event);
    if (known === NONE) return true;
    const { words } = this.clock.events;
    const w = write * ev.EVENT_WORDS;
    return this.rows.get(known, words[w + ev.E_THREAD]!, this.committed) < words[w + ev.E_INDEX]!;
  }

  /** What others wrote where the event reads or writes has reached memory; so has what an own load could not forward. */
  private forceConflicting(event: number, at: number, thread: number): void {
    const { writes } = this.clock;
    const { words } = this.clock.events;
    const waits = words[at + ev.E_KIND] === ev.LOAD_EVENT;
    for (let i = 0; i < writes.length; i++) {
      const w = writes.words[i]! * ev.EVENT_WORDS;
      const writer = words[w + ev.E_THREAD]!;
      const isForced = writer !== thread || (waits && (writes.length > 1 || !covers(words, w, at)));
      if (isForced) this.rows.raise(event, writer, words[w + ev.E_INDEX]!, this.committed);
    }
  }

  rollback(depth: number): void {
    this.violations.rollback(depth);
  }

  markLive(): void {}

  renumber(kept: Int32Array): void {
    this.violations.forget();
    if (this.rows !== this.clock.rows) this.rows.keep(kept);
  }
}

/**
 * What the TSO monitors `tso` and `causal-tso` share: a simulated TSO execution with the trace of the SC execution, in
 * which stores reach memory as late as possible.
 *
 *   here                    meaning
 *   entry q of event e's    index of the newest store of q that has reached memory; buffers are first in, first out, so
 *   row, lane `committed`   all earlier ones have too. May also be the index of a later event of q that is not a store:
 *                           all stores before it have reached memory
 *   `known(event)`          the row that says what has reached memory when `event` is about to run
 *
 * The two differ in which events count for `known`: see the subclasses.
 */

import { NO_WAIT, waitOf } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { EventClock } from './event-clock.ts';
import { covers } from './mapping.ts';
import type { Report } from './monitor.ts';
import type { SharedRows } from './shared-rows.ts';
import { SimulatedBuffers } from './simulated-buffers.ts';
import { NONE } from './thread-clocks.ts';

export abstract class SimulatedTso extends SimulatedBuffers {
  /** The lane of `rows` that is used. */
  protected readonly committed: number;

  constructor(clock: EventClock, rows: SharedRows, committed: number, report?: Report) {
    super(clock, rows, report);
    this.committed = committed;
  }

  override observe(event: number): void {
    const { clock, rows, committed } = this;
    const { writes } = clock;
    const { words } = clock.events;
    const at = event * ev.EVENT_WORDS;
    const thread = words[at + ev.E_THREAD]!;
    if (writes.length > 0) this.check(event, thread);
    this.begin(event);
    if (writes.length > 0) this.forceConflicting(event, at, thread);
    if (waitOf(words, at) !== NO_WAIT) rows.set(event, thread, words[at + ev.E_INDEX]!, committed);
    else if (words[at + ev.E_KIND] === ev.JOIN_EVENT) {
      const child = words[at + ev.E_OTHER]!;
      if (child >= 0) rows.set(event, child, clock.knows(event, child), committed);
    }
  }

  protected override isPending(event: number, write: number): boolean {
    const known = this.known(event);
    if (known === NONE) return true;
    const { words } = this.clock.events;
    const w = write * ev.EVENT_WORDS;
    return this.rows.get(known, words[w + ev.E_THREAD]!, this.committed) < words[w + ev.E_INDEX]!;
  }

  /** Other threads' writes to the event's bytes have reached memory; so has an own store that cannot be forwarded. */
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

  override lowerLimits(limits: Int32Array): void {
    this.rows.lower(limits, this.views(), this.committed, 0);
  }

  override markLive(): void {}
}

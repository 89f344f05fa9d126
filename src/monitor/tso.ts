/**
 * The TSO monitor of [MON] Fig. 4, with the bookkeeping of App. B: O(P) per event.
 *
 *   paper                          here
 *   B[p], removeFirst              entry p of the row in `rows`: the newest store that has left B[p]
 *   line 6, 7 `check` of `clock.candidates`. By Lemma 1 all pending stores to an address are by the
 *                                  thread that wrote it last. If one of them happens before prev[p], so do the earlier
 *                                  ones, and the newest one that does is the last of these to leave the buffer. So line
 *                                  6 holds for some store iff it holds for that one. App. B examines only the last
 *                                  store, which is enough over all executions, but not on one
 *   line 10–12 (commit pending)    `forceConflicting`
 *   line 16–25 (st, ld, atm)       `begin`; an atomic operation, fence or the like empties B[p]
 *   prev[p], →hb*                  `clock.past`, `clock.happensBefore`
 *   emit                           not done here
 *
 * Deviations: accesses have sizes, and C has more than ld, st and atm (`mapping.ts`).
 *
 * Errors: as published. Never raises a false alarm. Complete over *all* SC interleavings of a program (Theorem 2), but
 * may miss violations on one interleaving per trace: an unrelated event that happens to run earlier commits a store. Do
 * not use with partial-order reduction.
 */
import type { EventClock } from './event-clock.ts';
import type { Report } from './monitor.ts';
import { SharedRows } from './shared-rows.ts';
import { SimulatedTso } from './simulated-tso.ts';

export class Tso extends SimulatedTso {
  readonly name = 'tso';

  constructor(clock: EventClock, report?: Report) {
    super(clock, new SharedRows(), 0, report);
  }

  protected override known(event: number): number {
    return event - 1;
  }

  protected override views(): readonly number[] {
    return [this.clock.length - 1];
  }

  protected override begin(event: number): void {
    this.rows.begin(event, event - 1, this.clock.width);
  }
}

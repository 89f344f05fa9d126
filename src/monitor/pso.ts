/**
 * The PSO monitor of [MON] Fig. 5, with the bookkeeping of App. B: O(P) per event.
 *
 *   paper                          here
 *   B[p][a]                        the stores that `isPending`
 *   line 6, 7                      `check` of `clock.candidates`, as in `tso.ts`
 *   line 10–13 (commit pending)    `forceConflicting`
 *   line 17–26 (st, ld, atm)       `observe`; an atomic operation empties B[p][a]
 *   prev[p], →hb*                  `clock.past`, `clock.happensBefore`
 *   emit                           not done here
 *
 * Deviations: accesses have sizes, and C has more than ld, st and atm (`mapping.ts`): full fences and stronger atomic
 * operations empty all buffers of the thread, and store–store barriers keep later stores behind earlier ones.
 *
 * Errors: as published. Never raises a false alarm. Complete over *all* SC interleavings of a program (Theorem 2), but
 * may miss violations on one interleaving per trace. Do not use with partial-order reduction.
 */
import * as ev from '../machine/events/event.ts';
import type { EventClock } from './event-clock.ts';
import { isBuffered } from './mapping.ts';
import type { Report } from './monitor.ts';
import { SharedRows } from './shared-rows.ts';
import { SimulatedPso } from './simulated-pso.ts';

export class Pso extends SimulatedPso {
  readonly name = 'pso';

  constructor(clock: EventClock, report?: Report) {
    super(clock, new SharedRows(2), 0, 1, report);
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

  override observe(event: number): void {
    super.observe(event);
    // Line 11–14 and 23–24 commit all pending stores to the address, not only the last one.
    const { writes, events } = this.clock;
    const { words } = events;
    const at = event * ev.EVENT_WORDS;
    const [thread, index] = [words[at + ev.E_THREAD]!, words[at + ev.E_INDEX]!];
    for (let i = 0; i < writes.length; i++) {
      const last = writes.words[i]!;
      if (!isBuffered(words, last * ev.EVENT_WORDS) || this.forcedBy.get(last, thread) !== index) continue;
      this.clock.visitOverwritten(
        last,
        (write) => isBuffered(words, write * ev.EVENT_WORDS) && this.force(write, thread, index),
      );
    }
  }

  protected override isForced(_event: number, write: number): boolean {
    return this.forcedBy.some(write, () => true);
  }
}

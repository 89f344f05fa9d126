/**
 * The causal TSO monitor: ours. It asks of each event e of p what [MON] Fig. 4 would ask if only the causal past of p's
 * previous event had run: is the newest write w to e's location in that past a store of another thread q that is still
 * in its buffer? An event that merely ran earlier, and commits the store in [MON]'s simulation, does not count. So the
 * answer is a function of the trace, and one execution per trace suffices.
 *
 * An alarm is real: run the causal past with its stores as late as in the figure, then e. Thread p has done the same as
 * in the SC execution, so e is its next step; and e comes before w, which happens before p's previous event.
 *
 *   symbol                here
 *   V                     `clock.rows`
 *   F[q]                  entry q of lane `COMMITTED` there, joined along happens-before
 *
 * These force w to memory: an access to w's bytes by another thread, reading or writing; anything that makes q wait for
 * its buffer: fences, atomic operations of all orders, mutex operations, creating a thread, q's end as seen by the
 * joining thread, a load that w overlaps without covering it; and anything that forces a later store of q.
 *
 * Errors: none known, except
 *   - operations that wait for a value composed of stores of different sizes: false alarms are possible (`couldGoOn`).
 *   - atomic sections: the exclusion is not part of a trace. May miss executions that are not sequentially consistent
 *     although they have no cycle; so does a search for cycles.
 *   - locking an object whose bytes are written as data does not count as an access to the data: false alarms are
 *     possible.
 */
import type { EventClock } from './event-clock.ts';
import type { Report } from './monitor.ts';
import { SimulatedTso } from './simulated-tso.ts';
import { COMMITTED } from './thread-clocks.ts';

export class CausalTso extends SimulatedTso {
  readonly name = 'causal-tso';

  constructor(clock: EventClock, report?: Report) {
    super(clock, clock.rows, COMMITTED, report);
  }

  protected override known(): number {
    return this.clock.past;
  }

  protected override views(): readonly number[] {
    return this.clock.ends();
  }

  /** The clock has already joined the row. */
  protected override begin(): void {}
}

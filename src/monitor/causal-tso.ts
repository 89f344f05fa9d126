/**
 * The causal TSO monitor: ours. Like [MON] Fig. 4 it lets each event e of p try to come before the last write w of its
 * location, if w is a store of another thread q that happens before what p did last; but whether w is still in its buffer
 * is judged by the causal past of what p did last alone. An event that merely ran earlier, and commits the store in
 * [MON]'s simulation, does not count. So the answer is a function of the trace, and one execution per trace suffices.
 *
 *   design section 7      here
 *   V                     `clock.rows`
 *   F[q]                  entry q of lane `COMMITTED` there, joined along happens-before
 *
 * What forces w to memory: an access of w's bytes by another thread, reading or writing; what makes q wait for its buffer:
 * fences, atomic operations and mutexes of all orders, creating a thread, its end as seen by who joins it, a load that w
 * overlaps without covering it; and whatever forces a later store of q.
 *
 * Errors: none known, except
 *   - operations that wait for a value put together from stores of different sizes: may alarm falsely (`couldGoOn`).
 *   - atomic sections: what they exclude is no part of a trace. May miss executions that have no cycle and yet are not
 *     sequentially consistent; so does looking for cycles.
 *   - locking an object whose bytes are written as data counts as no access of the data: may alarm falsely.
 */
import { COMMITTED, type EventClock } from './event-clock.ts';
import type { Report } from './monitor.ts';
import { SimulatedTso } from './simulated-tso.ts';

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

  /** The clock has joined it. */
  protected override begin(): void {}
}

/**
 * The causal PSO monitor: ours. Like `causal-tso.ts`, with PSO's buffers: whether store w of q is still pending when
 * event e of p would come before it depends only on the causal past of p's previous event, so one execution per trace
 * suffices.
 *
 *   symbol                         here
 *   V                              `clock.rows`
 *   G[q]                           entry q of lane `DRAINED` there, joined along happens-before
 *   EP[q]                          entry q of lane `EPOCH` there, joined along happens-before
 *   first read of w by a thread    entry of row w in `forcedBy`, compared with V
 *
 * These force w to memory: an access to w's bytes by another thread, reading or writing; anything that makes q wait for
 * all its buffers (fences, atomic operations with release semantics, unlocking, creating a thread, q's end as seen by
 * the joining thread); an atomic operation of q on w's bytes, or behind a later store–store barrier; a load of q that w
 * overlaps without covering it; and anything that forces a store of q that is behind a later barrier, or a later store
 * of q that overlaps w.
 *
 * Errors: as for `causal-tso.ts`.
 */
import type { EventClock } from './event-clock.ts';
import type { Report } from './monitor.ts';
import { SimulatedPso } from './simulated-pso.ts';
import { DRAINED, EPOCH } from './thread-clocks.ts';

export class CausalPso extends SimulatedPso {
  readonly name = 'causal-pso';

  constructor(clock: EventClock, report?: Report) {
    super(clock, clock.rows, DRAINED, EPOCH, report);
  }

  protected override known(): number {
    return this.clock.past;
  }

  protected override views(): readonly number[] {
    return this.clock.ends();
  }

  /** The clock has already joined the row. */
  protected override begin(): void {}

  protected override isForced(_event: number, write: number): boolean {
    return this.forcedBy.some(write, this.isKnown);
  }

  /** Whether the thread's event number `index` happens before the event about to happen. */
  private readonly isKnown = (thread: number, index: number): boolean =>
    index <= this.clock.knows(this.clock.past, thread);
}

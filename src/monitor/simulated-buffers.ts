/**
 * What [MON]'s monitors and ours share, whatever the model: a simulated execution with the trace of the SC execution,
 * in which stores reach memory as late as possible. An event that accesses what another thread's store wrote, and is
 * ordered after that store although the store is still pending, could come before it: line 6, 7 of [MON] Fig. 4 and 5.
 *
 * The model decides which stores are pending (`simulated-tso.ts`, `simulated-pso.ts`); [MON]'s monitors and the causal
 * ones differ in which events count for that (`known`, `begin`).
 */

import { ALLOCATES, effectsOf } from '../machine/events/effects.ts';
import type { Awaiting } from '../machine/run/upcoming.ts';
import type { EventClock } from './event-clock.ts';
import { couldComeBefore, couldGoOn } from './mapping.ts';
import { type Monitor, type Report, Violations } from './monitor.ts';
import type { SharedRows } from './shared-rows.ts';

export abstract class SimulatedBuffers implements Monitor {
  abstract readonly name: string;
  readonly violations: Violations;
  protected readonly clock: EventClock;
  /** What has reached memory, by event. */
  protected readonly rows: SharedRows;

  constructor(clock: EventClock, rows: SharedRows, report?: Report) {
    this.clock = clock;
    this.rows = rows;
    this.violations = new Violations(report);
  }

  abstract observe(event: number): void;
  abstract lowerLimits(limits: Int32Array): void;
  abstract markLive(live: Uint8Array): void;
  /** The rows that say what has reached memory before any possible next event. */
  protected abstract views(): readonly number[];
  /** The row of what has reached memory when `event` runs, which only the clock has observed; `NONE` if nothing has. */
  protected abstract known(event: number): number;
  /** Makes row `event` say what has reached memory because of the events before it, as far as they count. */
  protected abstract begin(event: number): void;
  /** Whether the store may still be in its buffer when `event` runs. */
  protected abstract isPending(event: number, write: number): boolean;

  protected check(event: number, thread: number): void {
    const { events, candidates } = this.clock;
    if ((effectsOf(events, event) & ALLOCATES) !== 0) return;
    for (let i = 0; i < candidates.length; i++) {
      const write = candidates.words[i]!;
      if (!this.isPending(event, write)) continue;
      if (!couldComeBefore(events, event, write, (other) => this.isPending(event, other))) continue;
      this.violations.add(event, write, thread);
    }
  }

  checkWaiting(thread: number, { address, predicate, bound }: Awaiting): void {
    const { events, candidates, length } = this.clock;
    for (let i = 0; i < candidates.length; i++) {
      const write = candidates.words[i]!;
      if (!this.isPending(length, write)) continue;
      if (!couldGoOn(events, address, predicate, bound, write, (other) => this.isPending(length, other))) continue;
      this.violations.add(length, write, thread);
    }
  }

  rollback(depth: number): void {
    this.violations.rollback(depth);
    if (this.rows !== this.clock.rows) this.rows.rollback(depth);
  }

  renumber(kept: Int32Array, _numbers: Int32Array): void {
    this.violations.forget();
    if (this.rows !== this.clock.rows) this.rows.keep(kept);
  }
}

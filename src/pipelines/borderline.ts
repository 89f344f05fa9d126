/**
 * Statistics of [SOBER] Fig. 4, per monitor: in how many executions it raised an alarm (borderline executions), and
 * when it raised the first one. An execution also counts if the alarm was raised in a part that it shares with an
 * earlier one.
 */
import type { Outcome } from '../machine/machine.ts';
import type { MonitorName } from '../monitor/monitors.ts';
import { IntVector } from '../util/int-vector.ts';

export interface MonitorStatistics {
  readonly monitor: MonitorName;
  /** Executions with an alarm. */
  readonly borderline: number;
  /** The number of the execution with its first alarm, from 1, and the time until then. */
  readonly first?: { readonly execution: number; readonly seconds: number };
}

interface Count {
  borderline: number;
  first?: { readonly execution: number; readonly seconds: number };
  /** The events of the current execution that raised an alarm, in order. */
  readonly events: IntVector;
}

export class Borderline {
  private readonly counts: ReadonlyMap<MonitorName, Count>;
  /** Seconds since the search began. */
  private readonly now: () => number;
  private executions = 0;

  constructor(names: readonly MonitorName[], now: () => number) {
    this.counts = new Map(names.map((name) => [name, { borderline: 0, events: new IntVector() }]));
    this.now = now;
  }

  /** Call for every alarm. */
  note(monitor: MonitorName, event: number): void {
    const count = this.counts.get(monitor)!;
    count.events.push(event);
    count.first ??= { execution: this.executions + 1, seconds: this.now() };
  }

  /** Call at the end of every execution. Blocked ones are not counted. */
  conclude(outcome: Outcome): void {
    if (outcome === 'blocked' || outcome === 'limit') return;
    this.executions++;
    for (const count of this.counts.values()) if (count.events.length > 0) count.borderline++;
  }

  rollback(depth: number): void {
    for (const { events } of this.counts.values()) {
      while (events.length > 0 && events.get(events.length - 1) >= depth) events.length--;
    }
  }

  get list(): readonly MonitorStatistics[] {
    return [...this.counts].map(([monitor, { borderline, first }]) => ({
      monitor,
      borderline,
      ...(first === undefined ? {} : { first }),
    }));
  }
}

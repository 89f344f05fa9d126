/** The monitors by name, and several of them at once over one clock. */
import type { EventLog } from '../machine/event.ts';
import { CausalPso } from './causal-pso.ts';
import { CausalTso } from './causal-tso.ts';
import { EventClock } from './event-clock.ts';
import type { EventFollower, Monitor, Report } from './monitor.ts';
import { Pso } from './pso.ts';
import { Sober } from './sober.ts';
import { SoberFixed } from './sober-fixed.ts';
import { Tso } from './tso.ts';

export type MonitorName = 'sober' | 'sober-fixed' | 'tso' | 'pso' | 'causal-tso' | 'causal-pso';

type MonitorClass = new (clock: EventClock, report?: Report) => Monitor;

export const monitors: Readonly<Record<MonitorName, MonitorClass>> = {
  sober: Sober,
  'sober-fixed': SoberFixed,
  tso: Tso,
  pso: Pso,
  'causal-tso': CausalTso,
  'causal-pso': CausalPso,
};

/** Follows an SC machine's events, or any log like it, and runs some monitors alongside. */
export class Monitors implements EventFollower {
  readonly clock: EventClock;
  readonly all: readonly Monitor[];

  constructor(events: EventLog, names: readonly MonitorName[], report?: (monitor: MonitorName) => Report) {
    const clock = new EventClock(events);
    this.clock = clock;
    this.all = names.map((name): Monitor => new monitors[name](clock, report?.(name)));
  }

  observe(event: number): void {
    this.clock.observe(event);
    for (const monitor of this.all) monitor.observe(event);
  }

  rollback(depth: number): void {
    this.clock.rollback(depth);
    for (const monitor of this.all) monitor.rollback(depth);
  }
}

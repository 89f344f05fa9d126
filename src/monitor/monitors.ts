/** The monitors by name, and running several of them at once over one clock. */

import type { EventLog } from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { RUNNABLE, T_STATUS } from '../machine/state/layout.ts';
import type { Model, StoreBufferModel } from '../models/index.ts';
import { PSO } from '../models/pso.ts';
import { TSO } from '../models/tso.ts';
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

export interface MonitorDescription {
  readonly make: MonitorClass;
  /** The model whose violations it looks for. */
  readonly model: StoreBufferModel;
  /**
   * What it must see to find every violation: one execution per trace, since it depends only on the order of
   * conflicting accesses; or all interleavings. `'misses'`: it misses some violations whatever it sees.
   */
  readonly sees: 'traces' | 'interleavings' | 'misses';
}

export const monitors: Readonly<Record<MonitorName, MonitorDescription>> = {
  sober: { make: Sober, model: TSO.name, sees: 'misses' },
  'sober-fixed': { make: SoberFixed, model: TSO.name, sees: 'traces' },
  tso: { make: Tso, model: TSO.name, sees: 'interleavings' },
  pso: { make: Pso, model: PSO.name, sees: 'interleavings' },
  'causal-tso': { make: CausalTso, model: TSO.name, sees: 'traces' },
  'causal-pso': { make: CausalPso, model: PSO.name, sees: 'traces' },
};

const CAUSAL: readonly MonitorName[] = ['causal-tso', 'causal-pso'];

export function monitorNamed(name: MonitorName): MonitorDescription {
  return monitors[name];
}

/** The model whose violations the monitor finds. */
export function monitoredModel(name: MonitorName): StoreBufferModel {
  return monitorNamed(name).model;
}

/** The model's monitor that needs only one execution per trace. */
export function causalMonitor(model: Model): MonitorName {
  const found = CAUSAL.find((name) => monitoredModel(name) === model);
  if (found === undefined) throw new Error(`${model} has no monitors: ${CAUSAL.join(' and ')} know nothing of it`);
  return found;
}

/** Follows the events of an SC machine, or of a log of the same form, and runs monitors alongside. */
export class Monitors implements EventFollower {
  readonly clock: EventClock;
  readonly all: readonly Monitor[];

  /** `isStream`: there are no rollbacks, and accesses of many bytes are kept in pieces. */
  constructor(
    events: EventLog,
    names: readonly MonitorName[],
    report?: (monitor: MonitorName) => Report,
    isStream = false,
  ) {
    const clock = new EventClock(events, isStream);
    this.clock = clock;
    this.all = names.map((name): Monitor => new monitors[name].make(clock, report?.(name)));
  }

  observe(event: number): void {
    this.clock.observe(event);
    for (const monitor of this.all) monitor.observe(event);
  }

  /** Call at the end of every execution: checks the threads that wait for a value. */
  conclude(machine: Machine): void {
    const { threads, upcoming, processes } = machine;
    for (let thread = 0; thread < processes.threadCount; thread++) {
      if (!threads.exists(thread) || threads.get(thread, T_STATUS) !== RUNNABLE) continue;
      const awaiting = upcoming.awaiting(thread);
      if (awaiting === undefined) continue;
      this.clock.lookAhead(thread, awaiting.address, 4);
      for (const monitor of this.all) monitor.checkWaiting?.(thread, awaiting);
    }
  }

  /** Drops events that cannot matter to any later event. `events` is the log, which nothing else may use. */
  forget(events: EventLog): void {
    const { clock } = this;
    const live = new Uint8Array(clock.length);
    const limits = new Int32Array(clock.width).fill(0x7fffffff);
    clock.lowerLimits(limits);
    for (const monitor of this.all) monitor.lowerLimits(limits);
    clock.markLive(live, limits);
    for (const monitor of this.all) monitor.markLive(live, limits);
    const numbers = new Int32Array(live.length);
    let count = 0;
    for (let e = 0; e < live.length; e++) {
      numbers[e] = count;
      count += live[e]!;
    }
    const kept = new Int32Array(count);
    for (let e = 0; e < live.length; e++) if (live[e] === 1) kept[numbers[e]!] = e;
    clock.renumber(kept, numbers);
    for (const monitor of this.all) monitor.renumber(kept, numbers);
    events.keep(kept);
  }

  rollback(depth: number): void {
    this.clock.rollback(depth);
    for (const monitor of this.all) monitor.rollback(depth);
  }
}

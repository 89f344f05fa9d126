/** The monitors by name, and running several of them at once over one clock. */

import type { EventLog } from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { RUNNABLE, T_STATUS } from '../machine/state/layout.ts';
import { type Model, modelNamed, modelsWith, type StoreBufferModel } from '../models/index.ts';
import { type Buffers, isUsual, requireCapability } from '../models/model.ts';
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

/** Buffers that monitors know. */
export type PredictedBuffers = Exclude<Buffers, 'none'>;

/** Which monitors watch, and the models whose violations are to be found. Each monitor predicts one or more of them. */
export interface Monitoring {
  readonly monitors: readonly MonitorName[];
  readonly models: readonly StoreBufferModel[];
}

interface MonitorDescription {
  readonly make: MonitorClass;
  /** It looks for the violations of models with these buffers. */
  readonly predicts: PredictedBuffers;
  /**
   * What it must see to find every violation: one execution per trace, since it depends only on the order of
   * conflicting accesses; or all interleavings. `'misses'`: it misses some violations whatever it sees.
   */
  readonly sees: 'traces' | 'interleavings' | 'misses';
}

export const monitors: Readonly<Record<MonitorName, MonitorDescription>> = {
  sober: { make: Sober, predicts: 'thread', sees: 'misses' },
  'sober-fixed': { make: SoberFixed, predicts: 'thread', sees: 'traces' },
  tso: { make: Tso, predicts: 'thread', sees: 'interleavings' },
  pso: { make: Pso, predicts: 'location', sees: 'interleavings' },
  'causal-tso': { make: CausalTso, predicts: 'thread', sees: 'traces' },
  'causal-pso': { make: CausalPso, predicts: 'location', sees: 'traces' },
};

/** By buffers: the monitor that needs only one execution per trace. */
export const CAUSAL: Readonly<Record<PredictedBuffers, MonitorName>> = {
  thread: 'causal-tso',
  location: 'causal-pso',
};

/** The buffers that monitors for the model must predict. */
function predictedBuffers(name: Model): PredictedBuffers {
  const model = modelNamed(name);
  requireCapability(model, 'monitors');
  if (model.buffers === 'none' || !isUsual(model))
    throw new Error(`${name} has no monitors: none predicts what its description says`);
  return model.buffers;
}

export function monitorNamed(name: MonitorName): MonitorDescription {
  return monitors[name];
}

/** Whether the monitor finds violations of the model, which has monitors. */
export function predicts(name: MonitorName, model: StoreBufferModel): boolean {
  return monitorNamed(name).predicts === predictedBuffers(model);
}

/** The model that stands for all whose violations the monitor finds: the first one. */
export function monitoredModel(name: MonitorName): StoreBufferModel {
  return modelsWith('monitors').find((model) => predicts(name, model))!;
}

/** The model's monitor that needs only one execution per trace. */
export function causalMonitor(model: Model): MonitorName {
  return CAUSAL[predictedBuffers(model)];
}

/** The monitors of these models that need only one execution per trace. */
export function causalMonitoring(models: readonly StoreBufferModel[]): Monitoring {
  return { models, monitors: [...new Set(models.map(causalMonitor))] };
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

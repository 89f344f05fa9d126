/**
 * Runs monitors alongside an exploration of SC, and collects what they find: each distinct violation once, with an
 * execution of the relaxed model that shows it, and its consequence.
 *
 * Violations with the same pair of source locations count as one ([MON] Sect. 7). A violation is harmful if some random
 * continuation of the relaxed execution ends in an error. Otherwise none of the continuations tried has failed, which
 * does not prove it harmless.
 */

import { unmodelledCallAmong } from '../explore/bound.ts';
import { explore, type FoundError } from '../explore/explore.ts';
import { Random } from '../explore/random.ts';
import { printSchedule, scheduleOf } from '../explore/schedule.ts';
import type { Follower } from '../explore/strategy.ts';
import { Waker } from '../explore/wake.ts';
import type { Watcher } from '../explore/watcher.ts';
import type { UnmodelledCall } from '../machine/code/error.ts';
import { SITE } from '../machine/code/opcodes.ts';
import * as ev from '../machine/events/event.ts';
import { Machine, type Outcome } from '../machine/machine.ts';
import { T_PC } from '../machine/state/layout.ts';
import type { StoreBufferModel } from '../models/index.ts';
import { type CausalOrder, CausalScan } from '../monitor/causal-scan.ts';
import { CAUSAL, type Monitoring, type MonitorName, Monitors, monitorNamed, predicts } from '../monitor/monitors.ts';
import { type Location, printLocation } from '../program/location.ts';
import { Borderline, type MonitorStatistics } from './borderline.ts';
import { RelaxedExecution, type Violation } from './relaxed-execution.ts';
import { type CycleDescription, describeCycle } from './robustness.ts';

export interface ViolationResult {
  readonly monitor: MonitorName;
  readonly model: StoreBufferModel;
  /** The event that could come too early, and the store that could come too late. */
  readonly event: Location | undefined;
  readonly write: Location | undefined;
  /** The SC execution in which it was seen. */
  readonly schedule: string;
  /**
   * A cycle in an execution of the model, with its schedule; `undefined` if none was found, which should not happen.
   */
  readonly cycle: CycleDescription | undefined;
  /** The error found by continuing from there, if any. */
  readonly harm: FoundError | undefined;
  /** Present if a continuation called an undefined function, where it ended. */
  readonly unmodelled?: Pick<UnmodelledCall, 'reason' | 'place'>;
}

/** Accesses of different sizes overlap, so the monitor cannot decide robustness under the model. */
interface Mixed {
  readonly model: StoreBufferModel;
  readonly monitor: MonitorName;
  readonly place: Location | undefined;
}

/** Without statistics, which are for searches that are not saved, and not divided once there is an alarm. */
export interface SavedAlarms {
  readonly found: readonly (readonly [key: string, violation: ViolationResult])[];
  readonly mixed: readonly Mixed[];
}

export interface AlarmOptions {
  /** Only the first violation per monitor is needed, and its consequence does not matter. */
  readonly firstOnly?: boolean;
  /** Seconds since the search began; present if statistics are wanted. */
  readonly now?: () => number;
  /** Happens-before of the execution, if the search tracks it. */
  readonly order?: CausalOrder;
}

/** Monitors in either of their two forms. */
interface Watch extends Follower {
  readonly order: CausalOrder;
  conclude(): void;
}

/** Continuations tried after each violation, and the maximum number of steps of each. */
const CONTINUATIONS = 100;
const CONTINUED_STEPS = 2000;

export class Alarms implements Watcher<SavedAlarms>, Follower {
  /** By `key`, which identifies a violation. */
  private readonly byKey = new Map<string, ViolationResult>();
  /** By model: where accesses of different sizes overlap, so that the monitors cannot decide robustness under it. */
  readonly mixed: Map<Mixed['model'], Mixed> = new Map();
  private readonly sc: Machine;
  private readonly options: AlarmOptions;
  private readonly watch: Watch;
  /** Monitors that have found something; with `firstOnly` they have nothing left to find. */
  private readonly done = new Set<MonitorName>();
  private readonly executions = new Map<Machine['model'], RelaxedExecution>();
  private readonly monitoring: Monitoring;
  /** By monitor: the models whose violations it finds. */
  private readonly models: ReadonlyMap<MonitorName, readonly StoreBufferModel[]>;
  private readonly borderline: Borderline | undefined;

  constructor(sc: Machine, monitoring: Monitoring, options: AlarmOptions = {}) {
    this.sc = sc;
    this.options = options;
    this.monitoring = monitoring;
    const { monitors, models } = monitoring;
    this.models = new Map(monitors.map((name) => [name, models.filter((model) => predicts(name, model))]));
    this.borderline = options.now === undefined ? undefined : new Borderline(monitors, options.now);
    this.watch = this.startWatch(monitors);
  }

  private startWatch(names: readonly MonitorName[]): Watch {
    const { sc } = this;
    const { order } = this.options;
    if (order !== undefined && names.every((name) => CAUSAL[monitorNamed(name).predicts] === name)) {
      const scan = new CausalScan(
        sc,
        order,
        names.map((name) => monitorNamed(name).predicts),
        (buffers, event, write, thread, past) => {
          if (this.options.firstOnly === true) scan.ignore(buffers);
          this.add(CAUSAL[buffers], { event, write, thread, past });
        },
        (buffers, event) => {
          if (this.options.firstOnly === true) scan.ignore(buffers);
          this.addMixed(CAUSAL[buffers], event);
        },
      );
      return { order, observe: () => {}, conclude: () => scan.conclude(), rollback: (depth) => scan.rollback(depth) };
    }
    const monitors = new Monitors(sc.events, names, (name) => (event, write, thread) => {
      this.add(name, { event, write, thread, past: monitors.clock.past });
    });
    return {
      order: monitors.clock,
      observe: (event) => {
        monitors.observe(event);
        if (monitors.clock.isMixed) for (const name of names) this.addMixed(name, event);
      },
      conclude: () => monitors.conclude(sc),
      rollback: (depth) => monitors.rollback(depth),
    };
  }

  /** With `firstOnly`: whether every monitor has raised its alarm, so that nothing is left to do. */
  get isOver(): boolean {
    return this.options.firstOnly === true && this.done.size === this.monitoring.monitors.length;
  }

  get found(): readonly ViolationResult[] {
    return [...this.byKey.values()];
  }

  observe(event: number): void {
    if (!this.isOver) this.watch.observe(event);
  }

  /** Call at the end of every execution. */
  conclude(_machine: Machine = this.sc, outcome: Outcome = 'complete'): void {
    if (!this.isOver) this.watch.conclude();
    this.borderline?.conclude(outcome);
  }

  rollback(depth: number): void {
    if (!this.isOver) this.watch.rollback(depth);
    this.borderline?.rollback(depth);
  }

  get statistics(): readonly MonitorStatistics[] {
    return this.borderline?.list ?? [];
  }

  private add(monitor: MonitorName, violation: Violation): void {
    this.borderline?.note(monitor, violation.event);
    if (this.isDone(monitor)) return;
    for (const model of this.models.get(monitor)!) this.addFor(model, monitor, violation);
  }

  private addFor(model: StoreBufferModel, monitor: MonitorName, violation: Violation): void {
    const key = `${model} ${this.key(monitor, violation)}`;
    if (this.byKey.has(key)) return;
    const { sc } = this;
    const execution = this.execution(model);
    const shown = execution.show(violation);
    const cycle = shown === undefined ? undefined : describeCycle(execution.machine, shown.event);
    const isOfInterest = cycle !== undefined && this.options.firstOnly !== true;
    this.addFound(key, {
      monitor,
      model,
      event: location(sc, this.siteOf(violation)),
      write: location(sc, sc.events.get(violation.write, ev.E_SITE)),
      schedule: printSchedule(sc, scheduleOf(sc)),
      cycle,
      ...(isOfInterest ? goOn(execution.machine, shown!.depth) : { harm: undefined }),
    });
  }

  private addMixed(monitor: MonitorName, event: number): void {
    const place = location(this.sc, this.sc.events.get(event, ev.E_SITE));
    for (const model of this.models.get(monitor)!) this.noteMixed({ model, monitor, place });
  }

  private noteMixed(mixed: Mixed): void {
    if (this.mixed.has(mixed.model)) return;
    this.mixed.set(mixed.model, mixed);
    this.done.add(mixed.monitor);
  }

  private addFound(key: string, violation: ViolationResult): void {
    this.byKey.set(key, violation);
    this.done.add(violation.monitor);
  }

  private isDone(monitor: MonitorName): boolean {
    return this.options.firstOnly === true && this.done.has(monitor);
  }

  /** The number of alarms so far, plus that of models for which there is no answer. */
  get count(): number {
    return this.byKey.size + this.mixed.size;
  }

  save(): SavedAlarms {
    return { found: [...this.byKey], mixed: [...this.mixed.values()] };
  }

  merge({ found, mixed }: SavedAlarms): void {
    const isOpen = ({ monitor }: { readonly monitor: MonitorName }): boolean => !this.isDone(monitor);
    const [newFound, newMixed] = [found.filter(([, violation]) => isOpen(violation)), mixed.filter(isOpen)];
    for (const [key, violation] of newFound) if (!this.byKey.has(key)) this.addFound(key, violation);
    for (const one of newMixed) this.noteMixed(one);
  }

  private key(monitor: MonitorName, violation: Violation): string {
    const { sc } = this;
    const name = (site: number): string => {
      const place = location(sc, site);
      return place === undefined ? String(site) : printLocation(place);
    };
    return `${monitor} ${name(this.siteOf(violation))} ${name(sc.events.get(violation.write, ev.E_SITE))}`;
  }

  private siteOf({ event, thread }: Violation): number {
    const { sc } = this;
    // An operation that is still waiting at the end of the execution has no event.
    if (event === sc.depth) return sc.code.words[sc.threads.get(thread, T_PC) + SITE]!;
    return sc.events.get(event, ev.E_SITE);
  }

  private execution(model: StoreBufferModel): RelaxedExecution {
    const known = this.executions.get(model);
    if (known !== undefined) return known;
    const { sc } = this;
    // The same limits give the same addresses.
    const machine = new Machine(sc.program, model, sc.layout.limits, sc.options);
    const execution = new RelaxedExecution(sc, this.watch.order, machine);
    this.executions.set(model, execution);
    return execution;
  }
}

/** The first error, if any, among random continuations after the first `depth` steps. */
function goOn(machine: Machine, depth: number): Pick<ViolationResult, 'harm' | 'unmodelled'> {
  const { errors, boundedBy } = explore(machine, new Random(1, CONTINUATIONS, depth), {
    followers: [new Waker(machine)],
    maxDepth: depth + CONTINUED_STEPS,
  });
  const unmodelled = unmodelledCallAmong(boundedBy);
  return { harm: errors[0], ...(unmodelled === undefined ? {} : { unmodelled }) };
}

function location(machine: Machine, site: number): Location | undefined {
  return machine.code.sites[site]!.instruction.location;
}

/**
 * All SC schedules with at most a given number of preemptions, with monitors alongside: in how many executions each
 * raises an alarm (borderline runs in [SOBER]), and how long it took.
 */
import { Bounded } from '../src/explore/bounded.ts';
import { Exhaustive } from '../src/explore/exhaustive.ts';
import { explore } from '../src/explore/explore.ts';
import type { Follower } from '../src/explore/strategy.ts';
import { Waker } from '../src/explore/wake.ts';
import { Machine } from '../src/machine/machine.ts';
import { type MonitorName, Monitors } from '../src/monitor/monitors.ts';
import { Borderline as Counts } from '../src/pipelines/borderline.ts';
import type { Program } from '../src/program/ir.ts';
import { cpuSeconds } from './search.ts';

export interface MonitoredSearch {
  readonly interleavings: number;
  /** Per monitor, in the order given. */
  readonly borderline: readonly number[];
  /** Interleavings up to the first in which any monitor raises an alarm; 0 if none does. */
  readonly first: number;
  /** CPU seconds; of the fastest of several searches, if one is too short to measure. */
  readonly seconds: number;
  /** The same, up to the first alarm. */
  readonly secondsToFirst: number;
}

/** CPU seconds to spend in total before the fastest search counts; a search that takes `LONG` is not repeated. */
const MEASURED = 1;
const LONG = 5;

export function searchMonitored(
  program: Program,
  preemptions: number | undefined,
  names: readonly MonitorName[],
): MonitoredSearch {
  const begun = cpuSeconds();
  let [seconds, secondsToFirst] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let searches = 1; ; searches++) {
    const started = cpuSeconds();
    const search = searchOnce(program, preemptions, names);
    seconds = Math.min(seconds, cpuSeconds() - started);
    secondsToFirst = Math.min(secondsToFirst, search.firstAt - started);
    // The first one includes the time of the engine's compiler.
    const isSettled = searches > 1 && cpuSeconds() - begun >= MEASURED;
    if (isSettled || seconds >= LONG) return { ...search, seconds, secondsToFirst };
  }
}

function searchOnce(
  program: Program,
  preemptions: number | undefined,
  names: readonly MonitorName[],
): Omit<MonitoredSearch, 'seconds' | 'secondsToFirst'> & { readonly firstAt: number } {
  const machine = new Machine(program, 'sc', {}, { spin: true });
  const borderline = names.length === 0 ? undefined : new Borderline(machine, names);
  const strategy = preemptions === undefined ? new Exhaustive() : new Bounded(preemptions);
  let [interleavings, first, firstAt] = [0, 0, 0];
  const { errors } = explore(machine, strategy, {
    followers: [
      ...(preemptions === undefined ? [] : [new Waker(machine)]),
      ...(borderline === undefined ? [] : [borderline]),
    ],
    onExecution: () => {
      interleavings++;
      if (borderline === undefined) return;
      borderline.conclude();
      if (first > 0 || !borderline.executions.some((n) => n > 0)) return;
      [first, firstAt] = [interleavings, cpuSeconds()];
    },
  });
  if (errors.length > 0) throw new Error(`wrong under SC already: ${errors[0]!.error.message}`);
  return { interleavings, borderline: borderline?.executions ?? [], first, firstAt };
}

/** Counts the executions in which each monitor raises an alarm, blocked ones too. */
export class Borderline implements Follower {
  private readonly machine: Machine;
  private readonly monitors: Monitors;
  private readonly counts: Counts;

  constructor(machine: Machine, names: readonly MonitorName[]) {
    this.machine = machine;
    this.counts = new Counts(names, () => 0);
    this.monitors = new Monitors(machine.events, names, (name) => (event) => this.counts.note(name, event));
  }

  /** Per monitor, in the order given. */
  get executions(): readonly number[] {
    return this.counts.list.map(({ borderline }) => borderline);
  }

  observe(event: number): void {
    this.monitors.observe(event);
  }

  /** Call at the end of every execution. */
  conclude(): void {
    this.monitors.conclude(this.machine);
    this.counts.conclude('complete');
  }

  rollback(depth: number): void {
    this.monitors.rollback(depth);
    this.counts.rollback(depth);
  }
}

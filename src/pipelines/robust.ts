/**
 * Is every execution of TSO or PSO one of SC? Found out from executions of SC alone: they are explored, with monitors
 * alongside, and each violation is shown by an execution of the relaxed model.
 *
 *   program → SC machine → strategy → monitors → violations → relaxed executions, harmful or not → verdict per model
 */

import type { BlockedCounts, FoundError } from '../explore/explore.ts';
import type { StoreBufferModel } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import { type MonitorName, monitoredModel } from '../monitor/monitors.ts';
import type { RobustOptions, RobustStrategy } from '../options/robust.ts';
import type { Program } from '../program/ir.ts';
import { type Location, printLocation } from '../program/location.ts';
import type { ViolationResult } from './alarms.ts';
import { hasSections, type ModelResult, ModelRun } from './check.ts';
import { type Verdict, verdictWithoutViolation } from './result.ts';

export interface RobustResult {
  readonly model: StoreBufferModel;
  readonly monitors: readonly MonitorName[];
  /** `verified`: robust; `violation`: not robust, or wrong under SC already. */
  readonly verdict: Verdict;
  readonly how: 'explored' | 'robust' | 'sc';
  /** `null` if that is not known. */
  readonly robust: boolean | null;
  /** Of SC. */
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  readonly cutsIdleLoops: boolean;
  readonly errors: readonly FoundError[];
  /** Each pair of source locations once. */
  readonly violations: readonly ViolationResult[];
  readonly bounds: readonly string[];
  readonly seconds: number;
}

/** Why this monitor must not be run with this strategy. */
export function unsoundMonitor(monitor: MonitorName, strategy: RobustStrategy): string | undefined {
  const seesOnePerTrace = strategy === 'optimal' || strategy === 'source';
  if (!seesOnePerTrace || (monitor !== 'tso' && monitor !== 'pso')) return undefined;
  return (
    `monitor ${monitor} misses violations when it sees one execution per trace, as with strategy ${strategy}; ` +
    `use causal-${monitor}, or strategy bounded or exhaustive`
  );
}

/** One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time. */
export class RobustRun {
  private readonly program: Program;
  private readonly options: RobustOptions;
  private readonly run: ModelRun;

  constructor(program: Program, options: RobustOptions) {
    this.program = program;
    this.options = options;
    const { monitors, ...rest } = options;
    this.run = new ModelRun(program, SC.name, { ...rest, models: [SC.name], races: false }, { watched: { monitors } });
  }

  advance(steps: number): boolean {
    return this.run.advance(steps);
  }

  stop(why: string): void {
    this.run.stop(why);
  }

  /** Executions and distinct violations so far. */
  get progress(): { executions: number; violations: number } {
    return { executions: this.run.counts.executions, violations: this.run.alarms!.found.length };
  }

  /** What was found under SC. */
  get sc(): ModelResult {
    return this.run.result;
  }

  get results(): readonly RobustResult[] {
    return this.options.models.map((model) => this.result(model));
  }

  private result(model: StoreBufferModel): RobustResult {
    const { result: sc, alarms } = this.run;
    const monitors = this.options.monitors.filter((name) => monitoredModel(name) === model);
    const violations = alarms!.found.filter((v) => v.model === model);
    const shown = violations.filter((v) => v.cycle !== undefined);
    const mixed = alarms!.mixed.has(model) ? [overlapping(alarms!.mixed.get(model))] : [];
    const bounds = [
      ...mixed,
      ...sc.bounds,
      ...violations.filter((v) => v.cycle === undefined).map(unshown),
      ...this.gaps(monitors),
    ];
    const common = {
      model,
      monitors,
      executions: sc.executions,
      blocked: sc.blocked,
      blockedBy: sc.blockedBy,
      cutsIdleLoops: sc.cutsIdleLoops,
      errors: sc.errors,
      violations: shown,
      seconds: sc.seconds,
    };
    if (sc.errors.length > 0) return { ...common, verdict: { kind: 'violation' }, how: 'sc', robust: null, bounds };
    if (shown.length > 0) {
      return { ...common, verdict: { kind: 'violation' }, how: 'explored', robust: false, bounds };
    }
    const isProved = bounds.length === 0;
    const verdict = verdictWithoutViolation(bounds);
    return { ...common, verdict, how: isProved ? 'robust' : 'explored', robust: isProved ? true : null, bounds };
  }

  /** What keeps even a search that has seen everything from being a proof. */
  private gaps(monitors: readonly MonitorName[]): string[] {
    const gaps: string[] = [];
    if (monitors.every((name) => name === 'sober')) gaps.push('monitor: sober misses some violations');
    if (hasSections(this.program)) gaps.push('monitor: what atomic sections exclude is not seen; use check');
    return gaps;
  }
}

function overlapping(place: Location | undefined): string {
  const where = place === undefined ? '' : ` at ${printLocation(place)}`;
  return `monitor: accesses of different sizes overlap${where}, which only check covers`;
}

function unshown({ monitor, event, write }: ViolationResult): string {
  const name = (place: Location | undefined): string => (place === undefined ? 'unknown' : printLocation(place));
  return `alarm of ${monitor} without an execution that shows it: ${name(event)} before ${name(write)}`;
}

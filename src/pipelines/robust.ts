/**
 * The pipeline of `robust`: does SC allow every execution of TSO or PSO? Decided from SC executions alone: these are
 * explored, with monitors alongside, and each violation is shown by an execution of the relaxed model.
 *
 *   program → SC machine → strategy → monitors → violations → relaxed executions, harmful or not → verdict per model
 */

import { type Bound, printBound, type Stop } from '../explore/bound.ts';
import type { BlockedCounts, FoundError } from '../explore/explore.ts';
import type { StoreBufferModel } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import { CAUSAL, type MonitorName, monitorNamed, predicts } from '../monitor/monitors.ts';
import type { RobustOptions, RobustStrategy } from '../options/robust.ts';
import type { Program } from '../program/ir.ts';
import { type Location, printLocation } from '../program/location.ts';
import type { Alarms, ViolationResult } from './alarms.ts';
import type { MonitorStatistics } from './borderline.ts';
import type { Helpers } from './helpers.ts';
import { type ModelResult, ModelRun } from './model-run.ts';
import { type Verdict, verdictWithoutViolation } from './result.ts';
import type { Round } from './rounds.ts';
import { hasMembarrier, hasSections, mayOvertakeInitialisation, type WhyEnumerated } from './strategies.ts';

/** The executions with exactly this many preemptions or delays. */
export interface RobustRound extends Round {
  /** Violations that earlier rounds do not show. */
  readonly violations: number;
  /** How many executions raised an alarm. */
  readonly borderline: readonly { readonly monitor: MonitorName; readonly executions: number }[];
}

export interface RobustResult {
  readonly model: StoreBufferModel;
  readonly monitors: readonly MonitorName[];
  /** `verified`: robust; `violation`: not robust, or fails under SC. */
  readonly verdict: Verdict;
  readonly how: 'explored' | 'robust' | 'sc';
  readonly enumerated?: WhyEnumerated;
  /** `null` if unknown. */
  readonly robust: boolean | null;
  /** SC executions. */
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  /** With `source`: see `ModelResult`. */
  readonly givenUp?: number;
  readonly cutsIdleLoops: boolean;
  readonly errors: readonly FoundError[];
  /** Each pair of source locations once. */
  readonly violations: readonly ViolationResult[];
  readonly boundedBy: readonly Bound[];
  /** The bounds in words. */
  readonly bounds: readonly string[];
  readonly seconds: number;
  readonly statistics: readonly MonitorStatistics[];
  /** With `bounded`: a row per number of preemptions, with the violations that fewer do not show. */
  readonly rounds?: readonly RobustRound[];
}

/** Why this monitor cannot be combined with this strategy, if it cannot. */
export function unsoundMonitor(monitor: MonitorName, strategy: RobustStrategy): string | undefined {
  const seesOnePerTrace = strategy === 'optimal' || strategy === 'source';
  const { sees, predicts } = monitorNamed(monitor);
  if (!seesOnePerTrace || sees !== 'interleavings') return undefined;
  return (
    `monitor ${monitor} misses violations when it sees one execution per trace, as with strategy ${strategy}; ` +
    `use ${CAUSAL[predicts]}, or strategy bounded or exhaustive`
  );
}

/** One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time. */
export class RobustRun {
  private readonly program: Program;
  private readonly options: RobustOptions;
  private readonly run: ModelRun;

  /** `helpers` take part in a long search as long as there is no violation. */
  constructor(program: Program, options: RobustOptions, helpers?: Helpers) {
    this.program = program;
    this.options = options;
    const { monitors, models, first, ...rest } = options;
    const watched = {
      monitors,
      models,
      // With atomic sections, executions are found more than once, so counts would mean nothing.
      statistics: !hasSections(program),
      ...(first === true ? { isEnough: ({ found }: Alarms) => models.every((model) => shows(found, model)) } : {}),
    };
    this.run = new ModelRun(
      program,
      SC.name,
      { ...rest, models: [SC.name], races: false, countOrders: true },
      { watched, ...(helpers === undefined ? {} : { helpers }) },
    );
  }

  advance(steps: number): boolean {
    return this.run.advance(steps);
  }

  stop(why: Stop): void {
    this.run.stop(why);
  }

  /** While others work on it: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.run.wait();
  }

  /** Executions and distinct violations so far. */
  get progress(): { executions: number; violations: number } {
    return { executions: this.run.progress.executions, violations: this.run.alarms!.found.length };
  }

  /** The results under SC. */
  get sc(): ModelResult {
    return this.run.result;
  }

  get results(): readonly RobustResult[] {
    return this.options.models.map((model) => this.result(model));
  }

  private result(model: StoreBufferModel): RobustResult {
    const { result: sc, alarms } = this.run;
    const monitors = this.options.monitors.filter((name) => predicts(name, model));
    const violations = alarms!.found.filter((v) => v.model === model);
    const shown = violations.filter((v) => v.cycle !== undefined);
    const mixed: readonly Bound[] = alarms!.mixed.has(model)
      ? [{ kind: 'overlapping sizes', place: alarms!.mixed.get(model)!.place }]
      : [];
    const boundedBy = [
      ...mixed,
      ...sc.boundedBy,
      ...violations.filter((v) => v.cycle === undefined).map(unshown),
      ...this.gaps(model, monitors),
    ];
    const bounds = boundedBy.map(printBound);
    const common = {
      model,
      monitors,
      ...(sc.enumerated === undefined ? {} : { enumerated: sc.enumerated }),
      executions: sc.executions,
      blocked: sc.blocked,
      blockedBy: sc.blockedBy,
      ...(sc.givenUp === undefined ? {} : { givenUp: sc.givenUp }),
      cutsIdleLoops: sc.cutsIdleLoops,
      errors: sc.errors,
      violations: shown,
      seconds: sc.seconds,
      statistics: alarms!.statistics.filter(({ monitor }) => monitors.includes(monitor)),
      boundedBy,
      bounds,
      ...(sc.rounds === undefined ? {} : { rounds: this.rounds(model, monitors, sc.rounds) }),
    };
    if (sc.errors.length > 0) return { ...common, verdict: { kind: 'violation' }, how: 'sc', robust: null };
    if (shown.length > 0) {
      return { ...common, verdict: { kind: 'violation' }, how: 'explored', robust: false };
    }
    const isProved = bounds.length === 0;
    const verdict = verdictWithoutViolation(bounds);
    return { ...common, verdict, how: isProved ? 'robust' : 'explored', robust: isProved ? true : null };
  }

  private rounds(
    model: StoreBufferModel,
    monitors: readonly MonitorName[],
    rounds: readonly Round[],
  ): readonly RobustRound[] {
    const { found } = this.run.alarms!;
    const seen = new Set<string>();
    return rounds.map((round, i) => {
      const before = seen.size;
      for (const { model: of, cycle, event, write } of found.slice(rounds[i - 1]?.found ?? 0, round.found)) {
        if (of === model && cycle !== undefined) seen.add(`${nameOf(event)} ${nameOf(write)}`);
      }
      const borderline = monitors.map((monitor) => {
        const upTo = (at: number): number =>
          rounds[at]?.statistics.find((counted) => counted.monitor === monitor)?.borderline ?? 0;
        return { monitor, executions: upTo(i) - upTo(i - 1) };
      });
      return { ...round, violations: seen.size - before, borderline };
    });
  }

  /** Why even an exhaustive search may not be a proof. */
  private gaps(model: StoreBufferModel, monitors: readonly MonitorName[]): Bound[] {
    const gaps: Bound[] = [];
    if (monitors.every((name) => monitorNamed(name).sees === 'misses')) gaps.push({ kind: 'sober' });
    if (hasSections(this.program)) gaps.push({ kind: 'atomic sections' });
    if (hasMembarrier(this.program)) gaps.push({ kind: 'membarrier' });
    if (mayOvertakeInitialisation(model, this.program)) gaps.push({ kind: 'initialisation' });
    return gaps;
  }
}

/** Whether an execution of the model shows one of these violations. */
function shows(found: readonly ViolationResult[], model: StoreBufferModel): boolean {
  return found.some((violation) => violation.model === model && violation.cycle !== undefined);
}

function unshown({ monitor, event, write }: ViolationResult): Bound {
  return { kind: 'unshown alarm', monitor, event, write };
}

function nameOf(place: Location | undefined): string {
  return place === undefined ? '' : printLocation(place);
}

/**
 * The pipeline: a program and options → results per memory model.
 *
 *   program → for each model: machine → strategy → errors, counts, bounds → verdict
 *                  └ SC: → monitors → models that need not be explored
 *
 * SC comes first. A program that fails there fails under every model, since each of them has all SC executions.
 */

import { type Bound, printBound, refusalAmong } from '../explore/bound.ts';
import { Bounded } from '../explore/bounded.ts';
import { Delayed } from '../explore/delayed.ts';
import { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../explore/enumerator.ts';
import { type Estimate, Estimator } from '../explore/estimate.ts';
import { Exhaustive } from '../explore/exhaustive.ts';
import { type BlockedCounts, Exploration, type ExplorationResult, type FoundError } from '../explore/explore.ts';
import { Iterative } from '../explore/iterative.ts';
import { Pct, type PctGuarantee } from '../explore/pct.ts';
import { Random } from '../explore/random.ts';
import type { Strategy } from '../explore/strategy.ts';
import { Waker } from '../explore/wake.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { Machine, type MachineOptions, type Outcome } from '../machine/machine.ts';
import { type Model, modelNamed, modelsWith } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import { causalMonitor, type MonitorName } from '../monitor/monitors.ts';
import type { CheckOptions } from '../options/check.ts';
import { DEFAULT_BUG_DEPTH, DEFAULT_DELAYS, DEFAULT_RANDOM_RUNS, type StrategyName } from '../options/search.ts';
import type { Program } from '../program/ir.ts';
import { MAX_ORDERED_EVENTS } from '../trace/bit-rows.ts';
import { traceKey } from '../trace/trace-key.ts';
import { type AlarmOptions, Alarms, type ViolationResult } from './alarms.ts';
import { Coverage, type CoverageResult } from './coverage.ts';
import { marksOperations, ObservationSet, unendedOperation } from './observations.ts';
import { judgeRaces } from './races.ts';
import { type Verdict, verdictWithoutViolation } from './result.ts';
import { type CycleDescription, Robustness } from './robustness.ts';
import { type Round, Rounds } from './rounds.ts';
import { type Warning, Warnings } from './warnings.ts';

export interface ModelResult {
  readonly model: Model;
  readonly verdict: Verdict;
  /** How it was decided: by exploring this model; because it has only SC executions; or because the program fails under SC. */
  readonly how: 'explored' | 'robust' | 'sc';
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  /** With `source`: further executions, abandoned when all that was left to do slept. `optimal` has none. */
  readonly givenUp?: number;
  readonly errors: readonly FoundError[];
  readonly boundedBy: readonly Bound[];
  /** The bounds in words. */
  readonly bounds: readonly string[];
  /** Not errors: races, unless they are errors by `races`, and leaks. */
  readonly warnings: readonly Warning[];
  readonly seconds: number;
  /** Whether all traces are SC traces; `null` if that was not requested, or not determined. */
  readonly robust: boolean | null;
  /** Some loop iterations that only wait were omitted. */
  readonly cutsIdleLoops: boolean;
  /** On request: how many traces SC does not allow, and a cycle in one of them. */
  readonly beyondSc?: number;
  readonly cycle?: CycleDescription;
  /** With `bounded` and `delays`: a row per number of preemptions or delays. */
  readonly rounds?: readonly Round[];
  /** With `random` and `pct`: how much the runs covered. */
  readonly coverage?: CoverageResult;
  /** With `pct`: what it promises. */
  readonly guarantee?: PctGuarantee;
}

/** Steps per execution with `enumerate`, whose keys grow with the number of steps. */
const ENUMERATE_MAX_STEPS = 2000;
/** With DPOR, whose happens-before takes quadratic memory, and with random runs, which might not terminate. */
const DEFAULT_MAX_STEPS = 20_000;

/** `bounded` is defined for SC; under another model it would silently omit commits, and so behaviours. */
export function unsoundCombination(strategy: StrategyName, model: Model): string | undefined {
  const { capabilities, why } = modelNamed(model);
  if (strategy === 'bounded' && !capabilities.bounded) {
    return `strategy bounded supports SC only, not ${model}; use delays, pct or exhaustive`;
  }
  if (capabilities.check) return undefined;
  const taken = modelsWith('check');
  const list = `${taken.slice(0, -1).join(', ')} and ${taken.at(-1)}`;
  return `${why?.check ?? `${model} has no check`}; check supports ${list}`;
}

/** Strategies that do not try every order, so that they must wake threads that sleep in a loop. */
const WAKES: readonly StrategyName[] = ['random', 'pct', 'bounded', 'delays'];

function isRandom(strategy: StrategyName): boolean {
  return strategy === 'random' || strategy === 'pct';
}

export interface CheckProgress {
  readonly model: Model;
  readonly executions: number;
  readonly blocked: number;
  /** Steps of the current execution. */
  readonly depth: number;
  /** Of the total number of executions; absent where it would be meaningless. */
  readonly estimate: Estimate | undefined;
  /** Since the start of this model. */
  readonly seconds: number;
}

/**
 * One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time.
 *
 * With monitors, SC is explored first, requested or not; then only the models for which an alarm is raised.
 */
export class CheckRun {
  private readonly program: Program;
  private readonly options: CheckOptions;
  private readonly finished: ModelResult[] = [];
  private readonly pending: Model[];
  private readonly observations: ObservationSet | undefined;
  private current: ModelRun | undefined;
  /** The result of SC, and what the monitors found there. */
  private sc: ModelResult | undefined;
  private alarms: readonly ViolationResult[] = [];
  /** Models for which the monitors cannot give a full answer. */
  private open: readonly Model[] = [];

  constructor(program: Program, options: CheckOptions) {
    this.program = program;
    this.options = options;
    this.pending = [...options.models];
    this.observations = options.observations === true ? new ObservationSet(program) : undefined;
    if (options.monitors !== true || !canMonitor(options.strategy, program)) return;
    const models = options.models.filter((model) => modelNamed(model).capabilities.monitors);
    if (models.length === 0) return;
    const monitors = models.map(causalMonitor);
    this.current = this.runOf(SC.name, { monitors, firstOnly: true });
  }

  private runOf(model: Model, watched?: Watched): ModelRun {
    const { observations } = this;
    const parts = {
      ...(observations === undefined ? {} : { observations }),
      ...(watched === undefined ? {} : { watched }),
    };
    return new ModelRun(this.program, model, this.options, parts);
  }

  advance(steps: number): boolean {
    if (this.current === undefined) {
      const model = this.pending.shift();
      if (model === undefined) return true;
      const known = this.withoutExploring(model);
      if (known !== undefined) {
        this.finished.push(known);
        return this.pending.length === 0;
      }
      this.current = this.runOf(model);
    }
    if (this.current.advance(steps)) this.finish();
    // Alarms for all models, and SC itself was not requested.
    else if (this.isForMonitors && this.current.alarms!.isOver) this.stopMonitoring('alarms');
    return this.current === undefined && this.pending.length === 0;
  }

  /** The result of a model that follows from SC and the monitors there. */
  private withoutExploring(model: Model): ModelResult | undefined {
    const { sc, options } = this;
    if (sc === undefined || model === SC.name) return undefined;
    if (sc.verdict.kind === 'violation' && !options.keepGoing) {
      return { ...sc, model, how: 'sc', seconds: 0, robust: null };
    }
    const isMonitored =
      options.monitors === true &&
      modelNamed(model).capabilities.monitors &&
      canMonitor(options.strategy, this.program);
    const isOpen = this.open.includes(model) || this.alarms.some((a) => a.model === model);
    const isRobust = isMonitored && sc.verdict.kind === 'verified' && !isOpen;
    if (!isRobust) return undefined;
    return {
      ...sc,
      model,
      how: 'robust',
      seconds: 0,
      robust: true,
      ...(options.robust === true ? { beyondSc: 0 } : {}),
    };
  }

  /** Whether SC is being explored without having been requested. */
  private get isForMonitors(): boolean {
    return this.current?.model === SC.name && !this.options.models.includes(SC.name);
  }

  stop(why: string): void {
    if (this.isForMonitors) this.stopMonitoring(why);
    this.current?.stop(why);
    if (this.current !== undefined) this.finish();
    for (const model of this.pending.splice(0)) {
      const run = this.runOf(model);
      run.stop(why);
      this.finished.push(run.result);
    }
  }

  private stopMonitoring(why: string): void {
    this.current!.stop(why);
    this.finish();
  }

  private finish(): void {
    const { model, result, alarms } = this.current!;
    if (model === SC.name) {
      this.sc = result;
      this.alarms = alarms?.found ?? [];
      this.open = [...(alarms?.mixed.keys() ?? [])];
      const place = this.pending.indexOf(SC.name);
      if (place >= 0) this.pending.splice(place, 1);
      if (this.options.models.includes(SC.name)) this.finished.push(result);
    } else this.finished.push(this.withAlarm(result));
    this.current = undefined;
    const refusal = refusalAmong(result.boundedBy);
    if (refusal === undefined) return;
    for (const pending of this.pending.splice(0)) {
      const run = this.runOf(pending);
      run.cut({ kind: 'refused', ...refusal });
      this.finished.push(run.result);
    }
  }

  /** What the monitors know about robustness, if the exploration did not determine it. */
  private withAlarm(result: ModelResult): ModelResult {
    const cycle = this.alarms.find((a) => a.model === result.model)?.cycle;
    return cycle === undefined || result.robust !== null ? result : { ...result, robust: false, cycle };
  }

  get results(): readonly ModelResult[] {
    return this.finished;
  }

  /** What the monitors found. */
  get violations(): readonly ViolationResult[] {
    return this.alarms;
  }

  /** What is running now, for progress messages. */
  get progress(): CheckProgress | undefined {
    return this.current?.progress;
  }
}

/**
 * Monitors prove robustness only over all traces, and not for programs with atomic sections: that a section excludes
 * others is not part of a trace.
 */
function canMonitor(strategy: StrategyName, program: Program): boolean {
  return (strategy === 'optimal' || strategy === 'source') && !hasSections(program);
}

/** Which monitors watch, and in how much detail. */
type Watched = Omit<AlarmOptions, 'now' | 'order'> & {
  readonly monitors: readonly MonitorName[];
  readonly statistics?: boolean;
  /** Asked at the end of every execution: has enough been found? */
  readonly isEnough?: (alarms: Alarms) => boolean;
};

interface ModelRunParts {
  readonly observations?: ObservationSet;
  readonly watched?: Watched;
}

/** A program under one model. */
export class ModelRun {
  readonly model: Model;
  /** What the monitors found, if there are any. */
  readonly alarms: Alarms | undefined;
  private readonly machine: Machine;
  private readonly options: CheckOptions;
  private readonly started = performance.now();
  private readonly exploration: Exploration;
  /** With `enumerate`, whose paths merge: the distinct traces, each of which counts as one execution. */
  private readonly traces = new Set<string>();
  /** These, and those of blocked executions. */
  private readonly seenTraces = new Set<string>();
  private readonly robustness: Robustness | undefined;
  private readonly warnings: Warnings;
  /** Threads that sleep in a loop are woken, because the search does not try every order. */
  private readonly wakes: boolean;
  private readonly strategy: StrategyName;
  private readonly observations: ObservationSet | undefined;
  /** Whether the program marks operations. */
  private readonly marks: boolean;
  private seconds = 0;
  /** The search, if it can report its progress. */
  private readonly dpor: MachineDpor | undefined;
  private readonly rounds: Rounds | undefined;
  private readonly pct: Pct | undefined;
  private readonly coverage: Coverage | undefined;
  private readonly isEnough: Watched['isEnough'];
  private readonly estimator = new Estimator();

  /** Monitors are for SC. */
  constructor(program: Program, model: Model, options: CheckOptions, { observations, watched }: ModelRunParts = {}) {
    this.observations = observations;
    this.marks = marksOperations(program);
    this.model = model;
    this.strategy = soundStrategy(options.strategy, program, model);
    this.wakes = WAKES.includes(this.strategy);
    this.machine = new Machine(program, model, options.limits ?? {}, machineOptions(options));
    this.options = options;
    this.robustness = options.robust === true && model !== SC.name ? new Robustness() : undefined;
    this.warnings = new Warnings(this.machine);
    const strategy = makeStrategy({ ...options, strategy: this.strategy }, this.machine);
    this.dpor = strategy instanceof MachineDpor ? strategy : undefined;
    this.rounds = strategy instanceof Iterative ? new Rounds(strategy) : undefined;
    this.pct = strategy instanceof Pct ? strategy : undefined;
    this.coverage = isRandom(this.strategy) ? new Coverage() : undefined;
    const known = this.dpor !== undefined && !hasSections(program) ? { order: this.dpor.happensBefore } : {};
    this.alarms =
      watched === undefined
        ? undefined
        : new Alarms(this.machine, watched.monitors, {
            ...watched,
            ...known,
            ...(watched.statistics === true ? { now: () => (performance.now() - this.started) / 1000 } : {}),
          });
    this.isEnough = watched?.isEnough;
    this.exploration = this.explore(strategy);
  }

  private explore(strategy: Strategy): Exploration {
    const { options } = this;
    const maxDepth = options.maxSteps ?? defaultMaxSteps(this.strategy);
    return new Exploration(this.machine, strategy, {
      keepGoing: options.keepGoing,
      followers: [
        ...(this.wakes ? [new Waker(this.machine)] : []),
        ...(this.alarms === undefined ? [] : [this.alarms]),
        ...(options.races ? [] : [this.warnings.follow(strategy)]),
      ],
      ...(isRandom(this.strategy) || options.maxExecutions === undefined
        ? {}
        : { maxExecutions: options.maxExecutions }),
      ...(maxDepth === undefined ? {} : { maxDepth }),
      ...(this.dpor === undefined && (options.races || isRandom(this.strategy))
        ? {}
        : { memoryDepth: MAX_ORDERED_EVENTS }),
      ...(options.races || this.marks ? { judge: this.judge } : {}),
      onExecution: this.endExecution,
    });
  }

  private readonly judge = (machine: Machine): ProgramError | undefined => {
    const race = this.options.races ? judgeRaces(machine) : undefined;
    if (race !== undefined || !this.marks) return race;
    return this.observations === undefined ? unendedOperation(machine) : this.observations.judge(machine);
  };

  private readonly endExecution = (machine: Machine, outcome: Outcome): void => {
    this.warnings.conclude(machine, outcome);
    if (outcome !== 'limit') this.alarms?.conclude(machine, outcome);
    if (this.alarms !== undefined && this.isEnough?.(this.alarms) === true)
      this.exploration.cut({ kind: 'first alarm' });
    this.rounds?.conclude(outcome, this.alarms?.found.length ?? 0);
    this.coverage?.conclude(machine);
    if (outcome === 'limit') return;
    if (this.strategy === 'enumerate') {
      const key = traceKey(machine);
      if (this.seenTraces.has(key)) return;
      this.seenTraces.add(key);
      if (outcome !== 'blocked') this.traces.add(key);
    }
    this.robustness?.conclude(machine);
  };

  advance(steps: number): boolean {
    const done = this.exploration.advance(steps);
    if (done) this.seconds = (performance.now() - this.started) / 1000;
    const { dpor } = this;
    if (dpor !== undefined) this.estimator.note(this.counts.executions, () => dpor.estimate());
    return done;
  }

  get progress(): CheckProgress {
    const { model, machine, estimator } = this;
    const { blocked } = this.exploration.result;
    const { executions } = this.counts;
    const seconds = (performance.now() - this.started) / 1000;
    return { model, executions, blocked, depth: machine.depth, estimate: estimator.estimate, seconds };
  }

  stop(why: string): void {
    this.cut({ kind: 'stopped', why });
  }

  cut(bound: Bound): void {
    this.exploration.cut(bound);
    this.seconds = (performance.now() - this.started) / 1000;
  }

  get counts(): { executions: number; steps: number } {
    const { executions, steps } = this.exploration.result;
    return { executions: this.traces.size > 0 ? this.traces.size : executions, steps };
  }

  get result(): ModelResult {
    const found: ExplorationResult = this.exploration.result;
    const unknown = this.observations?.incomplete;
    const { executions } = this.counts;
    const isVacuous = executions === 0 && found.blocked > 0;
    const boundedBy: readonly Bound[] = [
      ...found.boundedBy.filter(({ kind }) => kind !== 'first error'),
      ...(unknown === undefined ? [] : [unknown]),
      ...(isVacuous ? [{ kind: 'vacuous' } as const] : []),
    ];
    const bounds = boundedBy.map(printBound);
    return {
      model: this.model,
      verdict: found.errors.length > 0 ? { kind: 'violation' } : verdictWithoutViolation(bounds),
      how: 'explored',
      executions,
      blocked: found.blocked,
      blockedBy: found.blockedBy,
      ...(this.strategy === 'source' ? { givenUp: found.abandoned } : {}),
      cutsIdleLoops: found.blockedBy.spin > 0,
      errors: found.errors,
      boundedBy,
      bounds,
      warnings: this.warnings.list,
      seconds: this.seconds,
      ...this.extent,
      ...this.robustnessResult(found.errors.length > 0 || bounds.length > 0),
    };
  }

  /** How far strategies got that do not cover everything. */
  private get extent(): Pick<ModelResult, 'rounds' | 'coverage' | 'guarantee'> {
    const coverage = this.coverage?.result;
    return {
      ...(this.rounds === undefined ? {} : { rounds: this.rounds.list }),
      ...(coverage === undefined ? {} : { coverage }),
      ...(this.pct === undefined ? {} : { guarantee: this.pct.guarantee }),
    };
  }

  private robustnessResult(isCut: boolean): Pick<ModelResult, 'robust' | 'beyondSc' | 'cycle'> {
    const { robustness, options, model } = this;
    if (options.robust !== true) return { robust: null };
    if (robustness === undefined || robustness.cyclic === 0) {
      return { robust: isCut ? null : true, ...(model === SC.name ? {} : { beyondSc: 0 }) };
    }
    return { robust: false, beyondSc: robustness.cyclic, cycle: robustness.cycle! };
  }
}

/**
 * An execution that ends inside an atomic section never shows what the threads it held back would have done, and
 * DPOR derives reorderings only from events that happened. So programs with such sections are enumerated, and so is
 * every program under a model without happens-before.
 */
function soundStrategy(strategy: StrategyName, program: Program, model: Model): StrategyName {
  if (strategy !== 'optimal' && strategy !== 'source') return strategy;
  return hasSections(program) || !modelNamed(model).capabilities.dpor ? 'enumerate' : strategy;
}

export function hasSections(program: Program): boolean {
  return program.functions.some((f) => f.blocks.some((b) => b.body.some((i) => i.op === 'beginatomic')));
}

function defaultMaxSteps(strategy: StrategyName): number | undefined {
  switch (strategy) {
    case 'enumerate':
      return ENUMERATE_MAX_STEPS;
    case 'optimal':
    case 'source':
    case 'random':
    case 'pct':
    case 'bounded':
    case 'delays':
      return DEFAULT_MAX_STEPS;
    default:
      return undefined;
  }
}

function machineOptions(options: CheckOptions): MachineOptions {
  return { interpret: options.interpret === true, spin: options.spin !== false, unroll: options.unroll ?? 0 };
}

function makeStrategy(options: CheckOptions, machine: Machine): Strategy {
  switch (options.strategy) {
    case 'optimal':
    case 'source':
      return new MachineDpor(machine, options.strategy);
    case 'enumerate':
      return new Enumerator(machine, options.maxStates);
    case 'exhaustive':
      return new Exhaustive();
    case 'random':
      return new Random(options.seed, options.maxExecutions ?? DEFAULT_RANDOM_RUNS);
    case 'pct':
      return new Pct(options.seed, options.maxExecutions ?? DEFAULT_RANDOM_RUNS, options.bugDepth ?? DEFAULT_BUG_DEPTH);
    case 'bounded':
      return new Bounded(options.preemptions);
    case 'delays':
      return new Delayed(options.delays ?? DEFAULT_DELAYS);
  }
}

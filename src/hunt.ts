/**
 * The hunt, [RELAXER]: for programs too large to exhaust.
 *
 *   program → SC runs → potential cycles → for each model and cycle: biased trials → confirmed? harmful?
 *
 * It can find errors and prove nothing: without an error the verdict is inconclusive, and says how much was tried.
 */

import type { FoundError } from './explore/explore.ts';
import { Biased, type BiasOptions } from './explore/relaxer/biased.ts';
import { findInTrace } from './explore/relaxer/confirm.ts';
import { kindOf, siteOf } from './explore/relaxer/label.ts';
import { type Cycle, Predictor, type RelaxedModel } from './explore/relaxer/predict.ts';
import { runOnce } from './explore/relaxer/trial.ts';
import { printSchedule, scheduleOf } from './explore/schedule.ts';
import { Machine, type MachineOptions } from './machine/machine.ts';
import { eventName } from './machine/names.ts';
import { marksOperations, ObservationSet } from './observations.ts';
import type { Program } from './program/ir.ts';
import type { Location } from './program/location.ts';
import type { Verdict } from './result.ts';
import { isAcyclic } from './trace/cycle.ts';
import { settle } from './trace/settle.ts';
import { ShashaSnirTrace } from './trace/shasha-snir.ts';
import { Prng } from './util/prng.ts';

export interface HuntOptions {
  readonly models: readonly RelaxedModel[];
  /** SC executions to predict from. */
  readonly runs: number;
  /** Per cycle. */
  readonly trials: number;
  /** Executions of a trial, [RELAXER]'s test script; fewer once one has had the cycle, if that is known to do harm. */
  readonly attempts: number;
  readonly seed: number;
  readonly cycleLength: number;
  readonly maxCycles: number;
  readonly maxSteps: number;
  readonly probability: number;
  /** In steps; without, the length of the longest SC run for stores and half of it for loads. */
  readonly storeDelay: number | undefined;
  readonly loadDelay: number | undefined;
  readonly barrierWait: boolean;
  /** Go on when SC is wrong already. */
  readonly keepGoing: boolean;
  readonly interpret: boolean;
}

export const HUNT_DEFAULTS: Omit<HuntOptions, 'models'> = {
  runs: 100,
  trials: 30,
  attempts: 10,
  seed: 1,
  cycleLength: 4,
  maxCycles: 10_000,
  maxSteps: 20_000,
  probability: 0.5,
  storeDelay: undefined,
  loadDelay: undefined,
  barrierWait: true,
  keepGoing: false,
  interpret: false,
};

/** A cycle that so many trials have not confirmed is not tried any further. */
export const GIVE_UP = 10;

/** Where in the program an event of a cycle comes from. */
export interface CyclePlace {
  /** load, store, rmw or synchronisation. */
  readonly access: string;
  readonly location?: Location;
}

export interface CycleResult {
  readonly cycle: Cycle;
  /** One per label of the cycle, in its order. */
  readonly places: readonly CyclePlace[];
  readonly trials: number;
  readonly executions: number;
  /** Trials in which it was in the trace. */
  readonly confirmed: number;
  /** Executions that had it and failed. */
  readonly harmful: number;
  /** An execution that has the cycle, and the names of the cycle's events in it. */
  readonly schedule?: string;
  readonly events?: readonly string[];
  /** An execution that has the cycle and fails. */
  readonly error?: FoundError;
}

export interface HuntResult {
  readonly model: RelaxedModel;
  readonly verdict: Verdict;
  /** By trials under the model, or because SC is wrong already. */
  readonly how: 'hunted' | 'sc';
  /** SC executions, and the cycles predicted from them, whatever the model. */
  readonly runs: number;
  readonly predicted: number;
  /** The worst first. Those that the model cannot have are left out. */
  readonly cycles: readonly CycleResult[];
  readonly executions: number;
  readonly errors: readonly FoundError[];
  readonly bounds: readonly string[];
  readonly seconds: number;
}

/** Of what is running now. */
export interface HuntProgress {
  readonly model: RelaxedModel | 'sc';
  readonly executions: number;
  readonly predicted: number;
  readonly confirmed: number;
  readonly harmful: number;
  readonly errors: number;
}

/** One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time. */
export class HuntRun {
  private readonly program: Program;
  private readonly options: HuntOptions;
  private readonly observations: ObservationSet | undefined;
  private readonly prediction: Prediction;
  private readonly hunts: ModelHunt[] = [];
  private done = false;

  constructor(program: Program, options: HuntOptions) {
    this.program = program;
    this.options = options;
    this.observations = marksOperations(program) ? new ObservationSet(program) : undefined;
    this.prediction = new Prediction(program, options, this.observations);
  }

  /** Runs executions until about so many steps have been taken; true once the hunt has ended. */
  advance(steps: number): boolean {
    for (let left = steps; left > 0 && !this.done; ) left -= this.runNext();
    return this.done;
  }

  private runNext(): number {
    const { prediction, options } = this;
    if (!prediction.isDone) return prediction.runNext();
    if (prediction.errors.length > 0 && !options.keepGoing) {
      this.done = true;
      return 0;
    }
    const current = this.hunts.at(-1);
    if (current !== undefined && !current.isDone) return current.runNext();
    const model = options.models[this.hunts.length];
    if (model === undefined) this.done = true;
    else this.hunts.push(new ModelHunt(this.program, model, prediction, options, this.observations));
    return 0;
  }

  stop(why: string): void {
    this.prediction.stop(why);
    this.hunts.at(-1)?.stop(why);
    this.done = true;
  }

  get progress(): HuntProgress {
    const { prediction } = this;
    const current = this.hunts.at(-1);
    return {
      model: current?.model ?? 'sc',
      executions: current?.executions ?? prediction.runs,
      predicted: prediction.cycles.length,
      confirmed: current?.cycles.filter((c) => c.confirmed > 0).length ?? 0,
      harmful: current?.cycles.filter((c) => c.harmful > 0).length ?? 0,
      errors: current?.errors.length ?? prediction.errors.length,
    };
  }

  get results(): readonly HuntResult[] {
    return this.options.models.map((model) => {
      const hunt = this.hunts.find((h) => h.model === model);
      return hunt?.result ?? this.prediction.resultFor(model);
    });
  }
}

/** Phase 1: SC runs, and the cycles that they suggest. */
class Prediction {
  private readonly options: HuntOptions;
  private readonly machine: Machine;
  private readonly predictor: Predictor;
  private readonly observations: ObservationSet | undefined;
  private readonly started = performance.now();
  private readonly bounds = new Set<string>();
  readonly errors: FoundError[] = [];
  runs = 0;
  longest = 1;
  isDone = false;
  seconds = 0;

  constructor(program: Program, options: HuntOptions, observations: ObservationSet | undefined) {
    this.options = options;
    this.machine = new Machine(program, 'sc', {}, machineOptions(options));
    this.predictor = new Predictor(options);
    this.observations = observations;
  }

  get cycles(): readonly Cycle[] {
    return this.predictor.cycles;
  }

  /** One run; how many steps it took. */
  runNext(): number {
    const { machine, options, errors } = this;
    machine.rollback(0);
    // Without a cycle there is nothing to bias: threads at random.
    const strategy = new Biased(machine, [], new Prng(options.seed, this.runs++), biasOf(options, 0));
    const run = runOnce(machine, strategy, options.maxSteps, this.observations?.judge);
    if (run.error !== undefined && !isKnown(errors, run.error)) errors.push(run.error);
    if (run.bound !== undefined) this.bounds.add(run.bound);
    this.longest = Math.max(this.longest, run.steps);
    this.predictor.addExecution(machine.events);
    this.isDone = this.runs === options.runs || (errors.length > 0 && !options.keepGoing);
    this.seconds = (performance.now() - this.started) / 1000;
    return run.steps;
  }

  stop(why: string): void {
    if (!this.isDone) this.bounds.add(why);
    this.isDone = true;
  }

  /** What bounds the prediction, in words. */
  get limits(): readonly string[] {
    const unknown = this.observations?.incomplete;
    return [
      `${this.runs} SC runs`,
      ...this.bounds,
      ...(this.predictor.isCut ? [`cycles: ${this.options.maxCycles} (--max-cycles)`] : []),
      ...(unknown === undefined ? [] : [unknown]),
    ];
  }

  /** For a model that no trial has been made under. */
  resultFor(model: RelaxedModel): HuntResult {
    const { errors, limits, runs, seconds } = this;
    return {
      model,
      verdict: errors.length > 0 ? { kind: 'violation' } : inconclusive([...limits, 'no trials']),
      how: errors.length > 0 ? 'sc' : 'hunted',
      runs,
      predicted: this.cycles.length,
      cycles: [],
      executions: runs,
      errors,
      bounds: limits,
      seconds,
    };
  }
}

const ACCESS_NAMES: readonly string[] = ['load', 'store', 'rmw', 'synchronisation'];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Phase 2: trials of each cycle under one model. */
class ModelHunt {
  readonly model: RelaxedModel;
  private readonly prediction: Prediction;
  private readonly options: HuntOptions;
  private readonly observations: ObservationSet | undefined;
  private readonly machine: Machine;
  private readonly bias: BiasOptions;
  private readonly started = performance.now();
  readonly cycles: Mutable<CycleResult>[];
  readonly errors: FoundError[] = [];
  private readonly bounds = new Set<string>();
  private current = 0;
  /** In the current trial: executions so far, and whether one had the cycle. */
  private attempt = 0;
  private isConfirmed = false;
  executions = 0;
  isDone = false;
  private seconds = 0;

  constructor(
    program: Program,
    model: RelaxedModel,
    prediction: Prediction,
    options: HuntOptions,
    observations: ObservationSet | undefined,
  ) {
    this.model = model;
    this.prediction = prediction;
    this.options = options;
    this.observations = observations;
    this.machine = new Machine(program, model, {}, machineOptions(options));
    this.cycles = prediction.cycles
      .filter((cycle) => cycle.models.has(model))
      .map((cycle) => ({ cycle, places: this.placesOf(cycle), trials: 0, executions: 0, confirmed: 0, harmful: 0 }));
    this.bias = biasOf(options, prediction.longest);
    this.isDone = this.cycles.length === 0;
  }

  private placesOf({ labels }: Cycle): readonly CyclePlace[] {
    return labels.map((label) => {
      const { location } = this.machine.code.sites[siteOf(label)]!.instruction;
      return { access: ACCESS_NAMES[kindOf(label)]!, ...(location === undefined ? {} : { location }) };
    });
  }

  /** One execution; how many steps it took. */
  runNext(): number {
    const { machine, options, cycles, bias } = this;
    const result = cycles[this.current]!;
    const { labels } = result.cycle;
    // A generator of its own for each execution, so that it is the same whatever went before.
    const number = (this.current * options.trials + result.trials) * options.attempts + this.attempt;
    machine.rollback(0);
    const strategy = new Biased(machine, labels, new Prng(options.seed, options.runs + number), bias);
    const run = runOnce(machine, strategy, options.maxSteps, this.observations?.judge);
    this.executions++;
    result.executions++;
    if (run.bound !== undefined) this.bounds.add(run.bound);
    if (run.error !== undefined && !isKnown(this.errors, run.error)) this.errors.push(run.error);
    const events = strategy.isRelaxed ? this.findCycle(labels) : undefined;
    if (events !== undefined) this.noteConfirmed(result, events, run.error);
    // A cycle that is known to do harm need not do it again.
    const isSettled = this.isConfirmed && result.error !== undefined;
    if (isSettled || ++this.attempt === options.attempts) this.endTrial(result);
    this.seconds = (performance.now() - this.started) / 1000;
    return run.steps;
  }

  private findCycle(labels: Cycle['labels']): readonly number[] | undefined {
    const { events, processes } = this.machine;
    const trace = new ShashaSnirTrace(settle(events), processes);
    return isAcyclic(trace) ? undefined : findInTrace(trace, labels);
  }

  private noteConfirmed(result: Mutable<CycleResult>, events: readonly number[], error: FoundError | undefined): void {
    const { machine } = this;
    if (!this.isConfirmed) result.confirmed++;
    this.isConfirmed = true;
    if (error !== undefined) {
      result.harmful++;
      result.error ??= error;
    }
    if (result.schedule !== undefined) return;
    result.schedule = printSchedule(machine, scheduleOf(machine));
    result.events = events.map((event) => eventName(machine, event));
  }

  private endTrial(result: Mutable<CycleResult>): void {
    this.attempt = 0;
    this.isConfirmed = false;
    result.trials++;
    const isHopeless = result.confirmed === 0 && result.trials >= GIVE_UP;
    if (result.trials < this.options.trials && !isHopeless) return;
    this.isDone = ++this.current === this.cycles.length;
  }

  stop(why: string): void {
    if (!this.isDone) this.bounds.add(why);
    this.isDone = true;
  }

  get result(): HuntResult {
    const { prediction, cycles } = this;
    const errors = [...prediction.errors, ...this.errors.filter((e) => !isKnown(prediction.errors, e))];
    const tried = `${cycles.reduce((sum, c) => sum + c.trials, 0)} trials`;
    const bounds = [...prediction.limits, tried, ...this.bounds];
    return {
      model: this.model,
      verdict: errors.length > 0 ? { kind: 'violation' } : inconclusive(bounds),
      how: 'hunted',
      runs: prediction.runs,
      predicted: prediction.cycles.length,
      cycles: [...cycles].sort(byHarm),
      executions: this.executions,
      errors,
      bounds,
      seconds: this.seconds,
    };
  }
}

function byHarm(a: CycleResult, b: CycleResult): number {
  return b.harmful - a.harmful || b.confirmed - a.confirmed;
}

/** A hunt proves nothing, so there always is a bound. */
function inconclusive(bounds: readonly string[]): Verdict {
  return { kind: 'inconclusive', because: [bounds[0]!, ...bounds.slice(1)] };
}

function isKnown(errors: readonly FoundError[], { error }: FoundError): boolean {
  return errors.some(
    ({ error: e }) =>
      e.kind === error.kind && e.message === error.message && e.file === error.file && e.line === error.line,
  );
}

function biasOf({ probability, storeDelay, loadDelay, barrierWait }: HuntOptions, longest: number): BiasOptions {
  const delay = storeDelay ?? longest;
  return { probability, storeDelay: delay, loadDelay: loadDelay ?? Math.ceil(delay / 2), barrierWait };
}

function machineOptions({ interpret }: HuntOptions): MachineOptions {
  return { interpret, spin: true };
}

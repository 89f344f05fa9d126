/** Phase 2 of a hunt under one model, an execution at a time. */
import { type Bound, Bounds, printBound } from '../../explore/bound.ts';
import { type FoundError, FoundErrors, isKnown } from '../../explore/found-errors.ts';
import { Biased, type BiasOptions } from '../../explore/relaxer/biased.ts';
import { findInTrace } from '../../explore/relaxer/confirm.ts';
import { kindOf, siteOf } from '../../explore/relaxer/label.ts';
import type { Cycle } from '../../explore/relaxer/predict.ts';
import { runOnce } from '../../explore/relaxer/trial.ts';
import { printSchedule, scheduleOf } from '../../explore/schedule.ts';
import { eventName } from '../../machine/describe/names.ts';
import { Naming } from '../../machine/describe/naming.ts';
import * as ev from '../../machine/events/event.ts';
import { Machine } from '../../machine/machine.ts';
import type { RelaxedModel } from '../../models/index.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import type { Program } from '../../program/ir.ts';
import { titleOf } from '../../program/title.ts';
import { isAcyclic } from '../../trace/cycle.ts';
import { settle } from '../../trace/settle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import type { ObservationSet } from '../observations.ts';
import { biasOf, machineOptions, patienceOf, prngOf } from './options.ts';
import { ownerOf } from './owner.ts';
import type { Prediction } from './prediction.ts';
import { type CyclePlace, type CycleResult, type HuntResult, inconclusive } from './result.ts';

const ACCESS_NAMES: readonly string[] = ['load', 'store', 'rmw', 'synchronisation'];

interface Planned {
  readonly result: Mutable<CycleResult>;
  trials: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Phase 2: trials of each cycle under one model. */
export class ModelHunt {
  readonly model: RelaxedModel;
  private readonly prediction: Prediction;
  private readonly options: HuntOptions;
  private readonly observations: ObservationSet | undefined;
  private readonly machine: Machine;
  private bias!: BiasOptions;
  readonly cycles: Mutable<CycleResult>[] = [];
  /** The cycles of this round, with their trials in it. */
  private plan: readonly Planned[] = [];
  /** Numbers of those in `plan` that need more trials, and which of them is next: each gets one trial in turn. */
  private left: number[] = [];
  private round = 0;
  private readonly found = new FoundErrors();
  private readonly bounds = new Bounds();
  private current = 0;
  /** In the current trial: executions so far, and whether one of them had the cycle, and one failed. */
  private attempt = 0;
  private isConfirmed = false;
  private hasFailed = false;
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
    this.beginRound(0);
  }

  /** Tries the cycles that are not known to be harmful, those that were predicted since the last round included. */
  beginRound(round: number): void {
    const { prediction, options, model, cycles } = this;
    const known = new Set(cycles.map(({ cycle }) => cycle));
    for (const cycle of prediction.cycles) {
      if (known.has(cycle) || !cycle.models.has(model)) continue;
      const places = this.placesOf(cycle);
      const owner = ownerOf(places, options.harness);
      cycles.push({ cycle, places, owner, trials: 0, executions: 0, confirmed: 0, harmful: 0, failedTrials: 0 });
    }
    this.plan = cycles.filter(({ harmful }) => harmful === 0).map((result) => ({ result, trials: 0 }));
    this.left = this.plan.map((_, i) => i);
    this.bias = biasOf(options, model, prediction.longest);
    this.round = round;
    this.current = 0;
    this.isDone = this.plan.length === 0;
  }

  private placesOf({ labels }: Cycle): readonly CyclePlace[] {
    return labels.map((label) => {
      const { program, code } = this.machine;
      const { func, instruction } = code.sites[siteOf(label)]!;
      const { location } = instruction;
      const place = { access: ACCESS_NAMES[kindOf(label)]!, func: titleOf(program.functions[func]!) };
      return { ...place, ...(location === undefined ? {} : { location }) };
    });
  }

  get errors(): readonly FoundError[] {
    return this.found.list;
  }

  /** What cut trials short. */
  get limits(): readonly Bound[] {
    return this.bounds.list;
  }

  /** Runs one execution; returns the number of its steps. */
  runNext(): number {
    const { machine, options, plan, bias } = this;
    const started = performance.now();
    const place = this.left[this.current]!;
    const planned = plan[place]!;
    const { result } = planned;
    const { labels } = result.cycle;
    const number = (place * options.trials + planned.trials) * options.attempts + this.attempt;
    machine.rollback(0);
    const strategy = new Biased(machine, labels, prngOf(options, this.round, options.runs + number), bias);
    const run = runOnce(machine, strategy, options.maxSteps, this.observations?.judge);
    machine.demandRoom();
    this.executions++;
    result.executions++;
    if (run.bound !== undefined) this.bounds.add(run.bound);
    if (run.error !== undefined) {
      this.found.add(run.error);
      this.hasFailed ||= !isKnown(this.prediction.errors, run.error.error);
    }
    const events = strategy.isRelaxed ? this.findCycle(labels) : undefined;
    if (events !== undefined) this.noteConfirmed(result, events, run.error);
    // A cycle already known to be harmful need not be shown harmful again.
    const isSettled = this.isConfirmed && result.error !== undefined;
    if (isSettled || ++this.attempt === options.attempts) this.endTrial(planned);
    this.seconds += (performance.now() - started) / 1000;
    return run.steps;
  }

  private findCycle(labels: Cycle['labels']): readonly number[] | undefined {
    const { events, processes } = this.machine;
    const trace = new ShashaSnirTrace(settle(events), processes);
    return isAcyclic(trace) ? undefined : findInTrace(trace, labels, this.options.isLate);
  }

  private noteConfirmed(result: Mutable<CycleResult>, events: readonly number[], error: FoundError | undefined): void {
    const { machine } = this;
    if (!this.isConfirmed) result.confirmed++;
    this.isConfirmed = true;
    // An error that also occurs under SC is not due to the cycle.
    if (error !== undefined && !isKnown(this.prediction.errors, error.error)) {
      result.harmful++;
      result.error ??= error;
    }
    if (result.schedule !== undefined) return;
    result.schedule = printSchedule(machine, scheduleOf(machine));
    result.events = events.map((event) => eventName(machine, event));
    const naming = new Naming(machine);
    const field = (event: number, f: number): number => machine.events.get(event, f);
    result.names = events.map((event) => naming.title(field(event, ev.E_ADDRESS), field(event, ev.E_SITE)));
  }

  private endTrial(planned: Planned): void {
    const { left, options } = this;
    if (this.isConfirmed && this.hasFailed) planned.result.failedTrials++;
    this.attempt = 0;
    this.isConfirmed = false;
    this.hasFailed = false;
    planned.result.trials++;
    planned.trials++;
    const isHopeless = planned.result.confirmed === 0 && planned.trials >= patienceOf(options);
    if (planned.trials === options.trials || isHopeless) left.splice(this.current, 1);
    else this.current++;
    if (this.current >= left.length) this.current = 0;
    this.isDone = left.length === 0;
  }

  stop(why: string): void {
    if (!this.isDone) this.bounds.add({ kind: 'stopped', why });
    this.isDone = true;
  }

  /** `ended`: why. */
  result(ended: string): HuntResult {
    const { prediction, cycles } = this;
    const all = new FoundErrors();
    all.merge(prediction.errors);
    all.merge(this.errors);
    const errors = all.list;
    const tried: Bound = { kind: 'trials', count: cycles.reduce((sum, c) => sum + c.trials, 0) };
    const boundedBy = [...prediction.limits, tried, ...this.bounds.list];
    const bounds = boundedBy.map(printBound);
    return {
      model: this.model,
      verdict: errors.length > 0 ? { kind: 'violation' } : inconclusive(bounds),
      how: 'hunted',
      runs: prediction.runs,
      predicted: prediction.cycles.length,
      cycles: [...cycles].sort(byHarm),
      executions: this.executions,
      errors,
      boundedBy,
      bounds,
      ended,
      rounds: this.round + 1,
      predictionSeconds: prediction.seconds,
      seconds: this.seconds,
    };
  }
}

function byHarm(a: CycleResult, b: CycleResult): number {
  return b.harmful - a.harmful || b.confirmed - a.confirmed;
}

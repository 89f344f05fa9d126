/** Phase 2 of a hunt under one model, an execution at a time. */
import { type Bound, Bounds, printBound, type Stop } from '../../explore/bound.ts';
import { type FoundError, FoundErrors } from '../../explore/found-errors.ts';
import type { BiasOptions } from '../../explore/relaxer/biased.ts';
import { kindOf, siteOf } from '../../explore/relaxer/label.ts';
import type { Cycle } from '../../explore/relaxer/predict.ts';
import { Machine } from '../../machine/machine.ts';
import type { RelaxedModel } from '../../models/index.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import type { Program } from '../../program/ir.ts';
import { titleOf } from '../../program/title.ts';
import type { ObservationSet } from '../observations.ts';
import { isTried, type Mutable, newTrials, type TrialsState, tryOnce } from './cycle-trials.ts';
import { FirstErrors } from './first-errors.ts';
import { biasOf, machineOptions } from './options.ts';
import { ownerOf } from './owner.ts';
import type { Prediction } from './prediction.ts';
import { type CyclePlace, type CycleResult, type HuntResult, inconclusive } from './result.ts';
import type { TrialsAnswer, TrialsJob } from './together.ts';

const ACCESS_NAMES: readonly string[] = ['load', 'store', 'rmw', 'synchronisation'];

/** Phase 2: trials of each cycle under one model. */
export class ModelHunt {
  readonly model: RelaxedModel;
  private readonly prediction: Prediction;
  private readonly options: HuntOptions;
  private readonly observations: ObservationSet | undefined;
  private readonly machine: Machine;
  private bias!: BiasOptions;
  readonly cycles: Mutable<CycleResult>[] = [];
  /** The cycles of this round that need more trials, and which of them is next: each gets one trial in turn. */
  private left: TrialsState[] = [];
  private current = 0;
  private round = 0;
  private readonly found = new FirstErrors();
  private readonly bounds = new Bounds();
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

  /** Tries the cycles that are not known to be harmful, including those that were predicted since the last round. */
  beginRound(round: number): void {
    const { prediction, options, model, cycles } = this;
    const known = new Set(cycles.map(({ cycle }) => cycle));
    for (const cycle of prediction.cycles) {
      if (known.has(cycle) || !cycle.models.has(model)) continue;
      const places = this.placesOf(cycle);
      const owner = ownerOf(places, options.harness);
      cycles.push({ cycle, places, owner, trials: 0, executions: 0, confirmed: 0, harmful: 0, failedTrials: 0 });
    }
    this.left = cycles.filter(({ harmful }) => harmful === 0).map((result, place) => newTrials(place, result));
    this.bias = biasOf(options, model, prediction.longest);
    this.round = round;
    this.current = 0;
    this.isDone = this.left.length === 0;
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
    const { machine, options, left, bias, round, prediction } = this;
    const started = performance.now();
    const state = left[this.current]!;
    const known = prediction.errors;
    const run = tryOnce({ machine, options, bias, round, known, judge: this.observations?.judge }, state);
    this.executions++;
    if (run.bound !== undefined) this.bounds.add(run.bound);
    if (run.error !== undefined) this.found.add([round, run.trial, state.place, run.attempt], run.error);
    if (state.attempt === 0) this.endTrial(state);
    this.seconds += (performance.now() - started) / 1000;
    return run.steps;
  }

  private endTrial(state: TrialsState): void {
    const { left, options } = this;
    if (isTried(state, options)) left.splice(this.current, 1);
    else this.current++;
    if (this.current >= left.length) this.current = 0;
    this.isDone = left.length === 0;
  }

  /** What is left of the round, as jobs for workers. */
  get jobs(): readonly TrialsJob[] {
    const { model, round, prediction } = this;
    const { longest, errors: known } = prediction;
    return this.left.map((state) => ({ model, round, longest, known, state }));
  }

  /** Takes the trials of a cycle that a worker has made. */
  take({ state, executions, errors, bounds, seconds }: TrialsAnswer): void {
    const at = this.left.findIndex(({ place }) => place === state.place);
    const own = this.left[at]!;
    const { cycle, places } = own.result;
    const result = Object.assign(own.result, state.result, { cycle, places });
    this.left[at] = { ...state, result };
    for (const [place, error] of errors) this.found.add(place, error);
    this.bounds.add(...bounds);
    this.executions += executions;
    this.seconds += seconds;
    this.current = at;
    if (isTried(state, this.options)) this.endTrial(this.left[at]!);
    this.current = 0;
  }

  /** Whether threads have the same slots in every machine. */
  get areFixed(): boolean {
    return this.machine.processes.areFixed;
  }

  stop(why: Stop): void {
    if (!this.isDone) this.bounds.add(why);
    this.isDone = true;
  }

  /** `ended`: why the hunt ended. */
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

/** Phase 1 of a hunt, one run at a time. */
import { type Bound, Bounds, printBound, type Stop } from '../../explore/bound.ts';
import { type FoundError, FoundErrors } from '../../explore/found-errors.ts';
import { Biased } from '../../explore/relaxer/biased.ts';
import { type Cycle, Predictor } from '../../explore/relaxer/predict.ts';
import { runOnce } from '../../explore/relaxer/trial.ts';
import { E_THREAD, type EventLog } from '../../machine/events/event.ts';
import { Machine } from '../../machine/machine.ts';
import type { RelaxedModel } from '../../models/index.ts';
import { SC } from '../../models/sc.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import type { Program } from '../../program/ir.ts';
import type { ObservationSet } from '../observations.ts';
import { biasOf, machineOptions, prngOf } from './options.ts';
import { type HuntResult, inconclusive } from './result.ts';

/** Phase 1: SC runs, and the cycles that they suggest. */
export class Prediction {
  private readonly options: HuntOptions;
  private readonly machine: Machine;
  private readonly predictor: Predictor;
  private readonly observations: ObservationSet | undefined;
  private readonly bounds = new Bounds();
  private readonly found = new FoundErrors();
  /** SC runs so far, in all rounds. */
  runs = 0;
  private round = 0;
  longest = 1;
  /** Whether some run had more than one thread. If none has, there are no cycles, whatever the schedule. */
  hasThreads = false;
  isDone = false;
  seconds = 0;

  constructor(program: Program, options: HuntOptions, observations: ObservationSet | undefined) {
    this.options = options;
    this.machine = new Machine(program, SC.name, {}, machineOptions(options));
    this.predictor = new Predictor(options);
    this.observations = observations;
  }

  get errors(): readonly FoundError[] {
    return this.found.list;
  }

  /** Whether threads have the same slots in every machine. */
  get areFixed(): boolean {
    return this.machine.processes.areFixed;
  }

  get cycles(): readonly Cycle[] {
    return this.predictor.cycles;
  }

  /** Makes one run; returns the number of its steps. */
  runNext(): number {
    const { machine, options, errors } = this;
    const started = performance.now();
    machine.rollback(0);
    // Without a cycle there is no bias: threads are chosen at random.
    const prng = prngOf(options, this.round, this.runs++ % options.runs);
    const strategy = new Biased(machine, [], prng, biasOf(options, SC.name, 0));
    const run = runOnce(machine, strategy, options.maxSteps, this.observations?.judge);
    machine.demandRoom();
    if (run.error !== undefined) this.found.add(run.error);
    if (run.bound !== undefined) this.bounds.add(run.bound);
    this.longest = Math.max(this.longest, run.steps);
    this.predictor.addExecution(machine.events);
    this.hasThreads ||= hasSecondThread(machine.events);
    this.isDone = this.runs % options.runs === 0 || (errors.length > 0 && !options.keepGoing);
    this.seconds += (performance.now() - started) / 1000;
    return run.steps;
  }

  /** Another round of runs, with other schedules. */
  beginRound(round: number): void {
    this.round = round;
    this.isDone = false;
  }

  stop(why: Stop): void {
    if (!this.isDone) this.bounds.add(why);
    this.isDone = true;
  }

  /** The bounds of the prediction. */
  get limits(): readonly Bound[] {
    const unknown = this.observations?.incomplete;
    return [
      { kind: 'sc runs', count: this.runs },
      ...this.bounds.list,
      ...(this.predictor.isCut ? [{ kind: 'cycles', limit: this.options.maxCycles } as const] : []),
      ...(unknown === undefined ? [] : [unknown]),
    ];
  }

  /** The result for a model without any trials. */
  resultFor(model: RelaxedModel, stopped: Stop | undefined, ended: string): HuntResult {
    const { errors, runs, seconds } = this;
    const all = new Bounds();
    all.add(...this.limits, { kind: 'trials', count: 0 });
    if (stopped !== undefined) all.add(stopped);
    const boundedBy = all.list;
    const bounds = boundedBy.map(printBound);
    return {
      model,
      verdict: errors.length > 0 ? { kind: 'violation' } : inconclusive(bounds),
      how: errors.length > 0 ? 'sc' : 'hunted',
      runs,
      predicted: this.cycles.length,
      cycles: [],
      executions: 0,
      errors,
      boundedBy,
      bounds,
      ended,
      rounds: this.round + 1,
      predictionSeconds: seconds,
      seconds: 0,
    };
  }
}

function hasSecondThread(events: EventLog): boolean {
  for (let e = 0; e < events.length; e++) if (events.get(e, E_THREAD) > 0) return true;
  return false;
}

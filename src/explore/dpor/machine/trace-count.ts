/**
 * Estimates from random executions how many executions Optimal-DPOR will have, which is the number of traces.
 *
 * An execution w is found with probability p(w), by choosing uniformly among the enabled visible steps at every point.
 * Let q(w) be the probability of taking its trace apart in the reverse order, by removing one of the maximal events at
 * every point, with a probability proportional to the size of its past, itself included. Over all executions of a trace, q
 * adds up to 1, so the mean of q(w) / p(w) is the number of traces
 * ([decision 42](../../../../docs/decisions/0042-estimates.md)).
 *
 * An unfinished execution of high weight is split in two; one of low weight is abandoned with probability 1/2, and
 * otherwise has its weight doubled (P. Grassberger, Pruned-enriched Rosenbluth method, 1997). This leaves the mean
 * unchanged, and single executions weigh less.
 */
import type { Machine, Outcome } from '../../../machine/machine.ts';
import { IntVector } from '../../../util/int-vector.ts';
import { Prng } from '../../../util/prng.ts';
import { Exploration } from '../../explore.ts';
import type { Step } from '../../runnable.ts';
import { ABANDON, NO_STEP, type Strategy } from '../../strategy.ts';
import type { Shortcuts } from '../shortcuts.ts';
import { MachineDependence } from './machine-dependence.ts';
import { MachineSteps } from './machine-steps.ts';

/**
 * Multiples of the mean weight at the same length: above the first an execution is split, below the second it may be
 * abandoned.
 */
const HIGH = 5;
const LOW = 0.2;
/** At most this many copies wait to be continued. */
const MOST_COPIES = 64;
/** No estimate is given after fewer tours. */
const LEAST_TOURS = 100;

/** Where an execution was split. */
interface Copy {
  readonly depth: number;
  /** Visible events. */
  readonly length: number;
  /** The logarithm of the weight. */
  readonly weight: number;
}

interface TraceEstimate {
  readonly traces: number;
  /** Standard error, as a fraction of `traces`. */
  readonly error: number;
}

/** Random executions with weights. */
class WeightedRuns implements Strategy {
  readonly name = 'weighted runs';
  readonly looksForSteps = true;
  readonly incomplete = undefined;
  private readonly machine: Machine;
  private readonly next: MachineSteps;
  private readonly dependence: MachineDependence;
  private readonly prng = new Prng(1);
  private readonly copies: Copy[] = [];
  /** The visible events; per event, the size of its past, itself included, and the first later event in its future. */
  private readonly events = new IntVector();
  private readonly pasts = new IntVector();
  private readonly covered = new IntVector();
  private weight = 0;
  private isVisible = false;
  /** Whether the weight has changed since `control` last examined it. */
  private isNew = false;
  /** Sums of weights, by the number of visible events. */
  private readonly sums: number[] = [];
  private readonly enabled = new IntVector();
  private readonly ofThread = new IntVector();
  /**
   * Executions so far. A tour is an execution from the initial state with all copies split off it: the total weight of
   * the current one, their number, and the sums of their weights and of the squares.
   */
  runs = 0;
  private tour = 0;
  private tours = 0;
  private sum = 0;
  private squares = 0;

  constructor(machine: Machine, shortcuts: Shortcuts) {
    this.machine = machine;
    this.next = new MachineSteps(machine, shortcuts);
    this.dependence = new MachineDependence(machine, shortcuts);
  }

  beginExecution(): number {
    const copy = this.copies.pop();
    if (copy === undefined && this.runs > 0) this.endTour();
    this.runs++;
    const { depth, length, weight } = copy ?? { depth: 0, length: 0, weight: 0 };
    this.weight = weight;
    this.isNew = false;
    for (const vector of [this.events, this.pasts, this.covered]) vector.length = length;
    const { words } = this.covered;
    for (let i = 0; i < length; i++) if (words[i]! >= length) words[i] = NEVER;
    this.dependence.rollback(depth);
    this.next.forget();
    return depth;
  }

  private endTour(): void {
    this.tours++;
    this.sum += this.tour;
    this.squares += this.tour ** 2;
    this.tour = 0;
  }

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { machine, next, enabled } = this;
    this.isVisible = false;
    if (machine.isOver) return NO_STEP;
    const invisible = next.invisible(true);
    if (invisible >= 0) return invisible;
    if (this.isNew && !this.control()) return ABANDON;
    this.findEnabled();
    if (enabled.length === 0) {
      const exit = next.exit(0);
      return exit >= 0 ? exit : NO_STEP;
    }
    const step = enabled.get(this.prng.below(enabled.length));
    this.weight += Math.log(enabled.length);
    this.isVisible = true;
    this.dependence.prepare(step);
    return step;
  }

  /** Whether to continue; may split the execution in two. */
  private control(): boolean {
    const { sums, copies, machine } = this;
    const { length } = this.events;
    this.isNew = false;
    const weight = Math.exp(this.weight);
    const sum = (sums[length] ?? 0) + weight;
    sums[length] = sum;
    const mean = sum / (this.tours + 1);
    if (weight > HIGH * mean && copies.length < MOST_COPIES) {
      this.weight -= Math.LN2;
      copies.push({ depth: machine.depth, length, weight: this.weight });
    } else if (weight < LOW * mean) {
      if (this.prng.below(2) === 0) return false;
      this.weight += Math.LN2;
    }
    return true;
  }

  private findEnabled(): void {
    const { next, enabled, ofThread } = this;
    enabled.length = 0;
    for (let thread = 0; ; thread++) {
      ofThread.length = 0;
      thread = next.addVisible(thread, ofThread);
      if (thread < 0) return;
      for (let i = 0; i < ofThread.length; i++) enabled.push(ofThread.words[i]!);
    }
  }

  observe(event: number): void {
    this.next.observe(event);
    if (!this.isVisible) return;
    const { dependence, events, pasts, covered } = this;
    while (dependence.length <= event) dependence.observe(dependence.length);
    const { length } = events;
    let past = 1;
    let maximal = 0;
    for (let i = 0; i < length; i++) {
      const isMaximal = covered.words[i]! > length;
      if (dependence.happensBefore(events.words[i]!, event)) {
        past++;
        if (isMaximal) covered.words[i] = length;
      } else if (isMaximal) maximal += pasts.words[i]!;
    }
    events.push(event);
    pasts.push(past);
    covered.push(NEVER);
    this.weight += Math.log(past / (maximal + past));
    this.isNew = true;
  }

  endExecution(): void {}

  /** The execution is complete. */
  count(): void {
    this.tour += Math.exp(this.weight);
  }

  get estimate(): TraceEstimate | undefined {
    const { tours, sum, squares } = this;
    if (tours < LEAST_TOURS || sum === 0) return undefined;
    const mean = sum / tours;
    return { traces: mean, error: Math.sqrt(Math.max(0, squares / tours - mean ** 2) / tours) / mean };
  }
}

const NEVER = 0x7fffffff;

export class TraceCount {
  private readonly runs: WeightedRuns;
  private readonly exploration: Exploration;
  private hasFailed = false;

  /** The machine must not be used for anything else. */
  constructor(machine: Machine, shortcuts: Shortcuts, maxDepth: number) {
    this.runs = new WeightedRuns(machine, shortcuts);
    const onExecution = (_: Machine, outcome: Outcome): void => {
      if (outcome === 'complete') this.runs.count();
    };
    this.exploration = new Exploration(machine, this.runs, { maxDepth, onExecution });
  }

  /** Makes more runs. If one of them has an error, or cannot be made this way, there is no estimate. */
  advance(steps: number): void {
    if (this.hasFailed) return;
    try {
      this.hasFailed = this.exploration.advance(steps);
    } catch {
      // The search itself may or may not meet the same problem.
      this.hasFailed = true;
    }
  }

  /** There will be no estimate. */
  get isOver(): boolean {
    return this.hasFailed;
  }

  get estimate(): TraceEstimate | undefined {
    return this.hasFailed ? undefined : this.runs.estimate;
  }
}

/**
 * All schedules with at most K preemptions, after CHESS ([CHESS], iterative context bounding). A preemption is a switch
 * away from a thread that is still enabled; switching when a thread has ended or must wait is free. Only for SC, where
 * the only processes are threads.
 *
 * [CHESS], Algorithm 1              here
 *   workQueue, nextWorkQueue        `waiting`, `deferred`
 *   currBound                       `preemptions`
 *   WorkItem: state and thread      the beginning of a schedule, up to and with the step of the preempting thread
 *   Search: the thread goes on, or  `open`
 *   anyone if it cannot
 *
 * Every schedule is tried once: those with k preemptions in round k, each from the beginning that ends with its k-th
 * preemption, which round k - 1 deferred when it met it. Deviation: the algorithm's optional table of states is left
 * out, since monitors see executions, not states.
 */
import { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import { DeferredSchedules, TakenSteps } from './deferred-schedules.ts';
import { processOf, type Step } from './runnable.ts';
import type { Strategy } from './strategy.ts';

export class Bounded implements Strategy {
  readonly name = 'bounded';
  private readonly maxPreemptions: number;
  private round = 0;
  private readonly schedules = new DeferredSchedules();
  /** Beginnings for this round, the next one last; and those for the next round. */
  private waiting = new IntVector();
  private deferred = new IntVector();
  /** Some schedule needs more preemptions than the last round has. */
  private pruned = false;

  /** The current beginning, and its steps. */
  private beginning = DeferredSchedules.NOTHING;
  private readonly prefix = new IntVector();
  private readonly taken = new TakenSteps();
  /**
   * As in `Exhaustive`, for the depths after the prefix: the untried steps, deepest last, and where those of each depth
   * begin. The last one is being explored.
   */
  private readonly untried = new IntVector();
  private readonly starts = new IntVector();

  constructor(preemptions: number) {
    this.maxPreemptions = preemptions;
    this.waiting.push(DeferredSchedules.NOTHING);
  }

  /** Preemptions of the current execution. */
  get preemptions(): number {
    return this.round;
  }

  get incomplete(): Bound | undefined {
    const isLeft = this.pruned || this.deferred.length > 0;
    return isLeft ? { kind: 'preemptions', limit: this.round } : undefined;
  }

  beginExecution(): number {
    while (this.starts.length > 0) {
      this.untried.length--;
      const last = this.starts.length - 1;
      if (this.untried.length > this.starts.get(last)) {
        this.taken.truncate(this.prefix.length + last);
        return this.taken.length;
      }
      this.starts.length = last;
    }
    if (this.waiting.length === 0 && !this.beginRound()) return -1;
    return this.begin(this.waiting.get(--this.waiting.length));
  }

  private beginRound(): boolean {
    if (this.deferred.length === 0) return false;
    [this.waiting, this.deferred] = [this.deferred, this.waiting];
    this.round++;
    return true;
  }

  /** Returns how many steps of the previous execution stay. */
  private begin(beginning: number): number {
    const { prefix, taken } = this;
    this.beginning = beginning;
    this.schedules.read(beginning, prefix);
    const most = Math.min(prefix.length, taken.length);
    let same = 0;
    while (same < most && prefix.get(same) === taken.get(same)) same++;
    taken.truncate(same);
    return same;
  }

  pick(steps: IntVector): Step {
    const { prefix, taken, untried } = this;
    const depth = taken.length;
    if (depth === prefix.length + this.starts.length) this.open(steps);
    const step = depth < prefix.length ? prefix.get(depth) : untried.get(untried.length - 1);
    taken.push(step);
    return step;
  }

  /** Lists the steps to try at a new depth, the first one last. Preemptions are left to the next round. */
  private open(steps: IntVector): void {
    const { taken, untried } = this;
    const previous = taken.length === 0 ? -1 : processOf(taken.get(taken.length - 1));
    let canGoOn = false;
    for (let i = 0; i < steps.length; i++) canGoOn ||= processOf(steps.get(i)) === previous;
    this.starts.push(untried.length);
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps.get(i);
      if (!canGoOn || processOf(step) === previous) untried.push(step);
      else this.defer(step);
    }
  }

  private defer(step: Step): void {
    if (this.round === this.maxPreemptions) {
      this.pruned = true;
      return;
    }
    this.deferred.push(this.schedules.add(this.beginning, this.taken, this.prefix.length, step));
  }

  observe(): void {}
  endExecution(): void {}
}

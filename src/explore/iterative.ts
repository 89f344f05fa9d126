/**
 * All schedules up to a cost, those of cost 0 first, then those of cost 1, and so on, each once. What a step costs is
 * left to subclasses: 1 for a preemption, 1 for each thread that is passed over.
 *
 * After [CHESS], Algorithm 1:
 *   workQueue, nextWorkQueue        `waiting`, one per round
 *   currBound                       `round`
 *   WorkItem: state and thread      a schedule prefix, up to and including a step that is not free
 *   Search: take what is free       `open`
 *
 * A schedule of cost k is tried in round k, from the prefix that ends with its last step that is not free; an earlier
 * round deferred that prefix when it met it. Deviation: the algorithm's optional table of states is left out, since
 * monitors see executions, not states.
 */
import { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import { DeferredSchedules, TakenSteps } from './deferred-schedules.ts';
import { processOf, type Step } from './runnable.ts';
import type { Strategy } from './strategy.ts';

export abstract class Iterative implements Strategy {
  abstract readonly name: string;
  abstract readonly kind: 'preemptions' | 'delays';
  private readonly limit: number;
  private current = 0;
  private readonly schedules = new DeferredSchedules();
  /** Per round: the prefixes that wait for it, the next one last. */
  private readonly waiting: IntVector[] = [];
  /** Some schedule costs more than the limit. */
  private pruned = false;

  /** The current prefix, and its steps. */
  private beginning = DeferredSchedules.NOTHING;
  private readonly prefix = new IntVector();
  private readonly taken = new TakenSteps();
  /**
   * As in `Exhaustive`, for the depths after the prefix: the untried steps, deepest last, and where the steps of each
   * depth begin. The last step is being explored.
   */
  private readonly untried = new IntVector();
  private readonly starts = new IntVector();
  private readonly costs = new IntVector();

  constructor(limit: number) {
    this.limit = limit;
    this.defer(0, DeferredSchedules.NOTHING);
  }

  /**
   * Pushes the cost of each of these steps after a step of process `previous`, which is -1 at the start of the
   * execution. At least one is free.
   */
  protected abstract price(previous: number, steps: IntVector, costs: IntVector): void;

  /** The cost of the current execution. */
  get round(): number {
    return this.current;
  }

  get incomplete(): Bound | undefined {
    const isLeft = this.pruned || this.nextRound() >= 0;
    return isLeft ? { kind: this.kind, limit: this.current } : undefined;
  }

  /** The first later round for which something waits, or -1. */
  private nextRound(): number {
    for (let round = this.current + 1; round < this.waiting.length; round++) {
      if ((this.waiting[round]?.length ?? 0) > 0) return round;
    }
    return -1;
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
    if (this.waiting[this.current]!.length === 0) {
      const next = this.nextRound();
      if (next < 0) return -1;
      this.current = next;
    }
    const waiting = this.waiting[this.current]!;
    return this.begin(waiting.get(--waiting.length));
  }

  /** Returns how many steps of the previous execution to keep. */
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

  /**
   * Lists the free steps at a new depth in reverse, so that the first is tried first, and defers the others to later
   * rounds.
   */
  private open(steps: IntVector): void {
    const { taken, untried, costs } = this;
    const previous = taken.length === 0 ? -1 : processOf(taken.get(taken.length - 1));
    costs.clear();
    this.price(previous, steps, costs);
    this.starts.push(untried.length);
    for (let i = steps.length - 1; i >= 0; i--) {
      const round = this.current + costs.get(i);
      if (costs.get(i) === 0) untried.push(steps.get(i));
      else if (round > this.limit) this.pruned = true;
      else this.defer(round, this.schedules.add(this.beginning, taken, this.prefix.length, steps.get(i)));
    }
  }

  private defer(round: number, beginning: number): void {
    this.waiting[round] ??= new IntVector();
    this.waiting[round].push(beginning);
  }

  observe(): void {}
  endExecution(): void {}
}

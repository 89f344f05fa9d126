/**
 * All schedules with at most k preemptions, after CHESS ([CHESS], iterative context bounding). A preemption is a switch
 * away from a thread that is still enabled; switching when a thread has ended or must wait is free. Only for SC, where
 * the only processes are threads.
 */
import { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import { processOf, type Step } from './runnable.ts';
import type { Strategy } from './strategy.ts';

export class Bounded implements Strategy {
  readonly name = 'bounded';
  private readonly preemptions: number;
  /** As in `Exhaustive`: the untried steps of all depths, deepest last; the last one is being explored. */
  private readonly untried = new IntVector();
  private readonly starts = new IntVector();
  /** Per depth: the step taken and the preemptions used before it. */
  private readonly taken = new IntVector();
  private readonly used = new IntVector();
  private started = false;
  private pruned = false;

  constructor(preemptions: number) {
    this.preemptions = preemptions;
  }

  get incomplete(): Bound | undefined {
    return this.pruned ? { kind: 'preemptions', limit: this.preemptions } : undefined;
  }

  beginExecution(): number {
    if (!this.started) {
      this.started = true;
      return 0;
    }
    while (this.starts.length > 0) {
      this.untried.length--;
      const last = this.starts.length - 1;
      if (this.untried.length > this.starts.get(last)) {
        this.taken.length = last;
        this.used.length = last + 1;
        return last;
      }
      this.starts.length = last;
    }
    return -1;
  }

  pick(steps: IntVector): Step {
    const depth = this.taken.length;
    if (depth === this.starts.length) this.open(depth, steps);
    const step = this.untried.get(this.untried.length - 1);
    this.taken.push(step);
    return step;
  }

  /** Lists the steps to try at a new depth; the one to try first comes last. */
  private open(depth: number, steps: IntVector): void {
    const previous = depth === 0 ? -1 : processOf(this.taken.get(depth - 1));
    const before = depth === 0 ? 0 : this.usedAfter(depth - 1);
    this.used.length = depth;
    this.used.push(before);
    let canGoOn = false;
    for (let i = 0; i < steps.length; i++) canGoOn ||= processOf(steps.get(i)) === previous;
    this.starts.push(this.untried.length);
    const mayPreempt = !canGoOn || before < this.preemptions;
    for (let i = steps.length - 1; i >= 0; i--) {
      if (processOf(steps.get(i)) === previous) continue;
      if (mayPreempt) this.untried.push(steps.get(i));
      else this.pruned = true;
    }
    for (let i = steps.length - 1; i >= 0; i--)
      if (processOf(steps.get(i)) === previous) this.untried.push(steps.get(i));
    this.couldGoOn.length = depth;
    this.couldGoOn.push(canGoOn ? 1 : 0);
  }

  /** Per depth: whether the thread of the previous step is still enabled. */
  private readonly couldGoOn = new IntVector();

  private usedAfter(depth: number): number {
    const previous = depth === 0 ? -1 : processOf(this.taken.get(depth - 1));
    const isPreemption = this.couldGoOn.get(depth) === 1 && processOf(this.taken.get(depth)) !== previous;
    return this.used.get(depth) + (isPreemption ? 1 : 0);
  }

  observe(): void {}
  endExecution(): void {}
}

/**
 * Every schedule, no reduction: depth-first over all enabled steps. Hopeless on anything large, but the oracle for all
 * cleverer strategies, because it is too simple to be wrong.
 */
import { IntVector } from '../util/int-vector.ts';
import type { Step } from './runnable.ts';
import type { Strategy } from './strategy.ts';

export class Exhaustive implements Strategy {
  readonly name: string = 'exhaustive';
  readonly incomplete = undefined;
  /** The steps still to be tried at all depths of the current execution, concatenated. */
  private readonly untried = new IntVector();
  /** Per depth: where its steps begin in `untried`. The last step of each group is the one being explored. */
  private readonly starts = new IntVector();
  private depth = 0;
  private started = false;

  beginExecution(): number {
    if (!this.started) {
      this.started = true;
      return 0;
    }
    while (this.starts.length > 0) {
      // The step last explored at this depth is done.
      this.untried.length--;
      const last = this.starts.length - 1;
      if (this.untried.length > this.starts.get(last)) {
        this.depth = last;
        return last;
      }
      this.starts.length = last;
    }
    return -1;
  }

  pick(steps: IntVector): Step {
    if (this.depth === this.starts.length) {
      this.starts.push(this.untried.length);
      for (let i = steps.length - 1; i >= 0; i--) this.untried.push(steps.get(i));
    }
    this.depth++;
    return this.untried.get(this.untried.length - 1);
  }

  observe(): void {}
  endExecution(): void {}
}

/** Random schedules: each step is chosen uniformly among the enabled ones. The same seed gives the same runs. */
import type { IntVector } from '../util/int-vector.ts';
import { Prng } from '../util/prng.ts';
import type { Bound } from './bound.ts';
import { type KnownOfRuns, NOTHING_KNOWN, type NumberedRuns } from './numbered-runs.ts';
import type { Step } from './runnable.ts';

export class Random implements NumberedRuns {
  readonly name = 'random';
  private readonly seed: number;
  readonly runs: number;
  private readonly from: number;
  next = 0;
  known: KnownOfRuns = NOTHING_KNOWN;
  private prng: Prng;

  /** `from`: all runs share this many steps, which the machine has already taken. */
  constructor(seed: number, runs: number, from = 0) {
    this.seed = seed;
    this.runs = runs;
    this.from = from;
    this.prng = new Prng(seed);
  }

  /** Random runs prove nothing, however many there are. */
  get incomplete(): Bound {
    return { kind: 'random runs', limit: this.runs };
  }

  beginExecution(): number {
    if (this.next === this.runs) return -1;
    // Each run has its own generator, so run n does not depend on the runs before it.
    this.prng = new Prng(this.seed, this.next++);
    return this.from;
  }

  pick(steps: IntVector): Step {
    return steps.get(this.prng.below(steps.length));
  }

  observe(): void {}
  endExecution(): void {}
}

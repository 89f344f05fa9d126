/**
 * Random priorities with few changes ([PCT]): a bug of depth d, one that needs d ordering constraints, is found by each
 * run with a probability of at least 1 / (n * k^(d-1)), for n processes and k steps.
 *
 * [PCT], Sect. 3    here
 *   n, k, d         `processes`, `steps`, `depth`
 *   priorities      `priorities`: initial ones above d, those after change point i are d - i
 *   k_1 ... k_(d-1) `changes`: drawn from the steps of the longest run so far; the first run has none
 *
 * Deviations: processes are threads and store buffers, so it works for every model. A process gets its priority when it
 * first appears. Threads that only wait sleep, so a waiting thread of high priority does not starve the others.
 */
import type { IntVector } from '../util/int-vector.ts';
import { Prng } from '../util/prng.ts';
import type { Bound } from './bound.ts';
import type { KnownOfRuns, NumberedRuns } from './numbered-runs.ts';
import { Priorities } from './priorities.ts';
import { processOf, type Step } from './runnable.ts';

/** What [PCT] promises about the runs so far. */
export interface PctGuarantee {
  readonly depth: number;
  readonly processes: number;
  readonly steps: number;
  /** The probability of finding a bug of this depth, if there is one: in one run, and in all runs after the first. */
  readonly perRun: number;
  readonly inAll: number;
}

export class Pct implements NumberedRuns {
  readonly name = 'pct';
  private readonly seed: number;
  readonly runs: number;
  private readonly depth: number;
  next = 0;
  private prng: Prng;
  private readonly priorities: Priorities;
  private readonly changes: number[] = [];
  private taken = 0;
  private processes = 0;
  private steps = 0;

  constructor(seed: number, runs: number, depth: number) {
    this.seed = seed;
    this.runs = runs;
    this.depth = depth;
    this.prng = new Prng(seed);
    this.priorities = new Priorities(depth);
  }

  /** However many runs there are, they prove nothing. */
  get incomplete(): Bound {
    return { kind: 'random runs', limit: this.runs };
  }

  get guarantee(): PctGuarantee {
    const { depth, processes, steps } = this;
    const perRun = 1 / (Math.max(1, processes) * Math.max(1, steps) ** (depth - 1));
    const inAll = -Math.expm1(Math.max(0, this.next - 1) * Math.log1p(-perRun));
    return { depth, processes, steps, perRun, inAll: perRun === 1 ? 1 : inAll };
  }

  get known(): KnownOfRuns {
    const { steps, processes } = this;
    return { steps, processes };
  }

  set known({ steps, processes }: KnownOfRuns) {
    this.steps = steps;
    this.processes = processes;
  }

  beginExecution(): number {
    if (this.next === this.runs) return -1;
    // Each run has its own generator.
    this.prng = new Prng(this.seed, this.next++);
    this.priorities.clear();
    this.taken = 0;
    this.changes.length = 0;
    if (this.steps > 0) for (let i = 1; i < this.depth; i++) this.changes.push(this.prng.below(this.steps));
    return 0;
  }

  pick(steps: IntVector): Step {
    const { priorities, changes, depth } = this;
    const step = priorities.pick(steps, this.prng);
    for (let i = 0; i < changes.length; i++) {
      if (changes[i] === this.taken) priorities.give(processOf(step), depth - 1 - i);
    }
    this.taken++;
    return step;
  }

  observe(): void {}

  endExecution(): void {
    this.steps = Math.max(this.steps, this.taken);
    this.processes = Math.max(this.processes, this.priorities.count);
  }
}

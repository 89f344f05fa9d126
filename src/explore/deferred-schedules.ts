/**
 * Schedule prefixes that wait for their turn. Each is stored as an earlier prefix and the steps after it, in runs of
 * the same step, so that a prefix of thousands of steps takes a few words.
 */
import { IntVector } from '../util/int-vector.ts';
import type { Step } from './runnable.ts';

/** A prefix, as its place in `words`. */
type Deferred = number;

/** Runs of two words follow. */
const PARENT = 0;
const RUNS = 1;
const HEADER = 2;

export class DeferredSchedules {
  /** The empty prefix. */
  static readonly NOTHING: Deferred = 0;
  private readonly words = new IntVector();
  private readonly chain = new IntVector();

  constructor() {
    this.words.push(-1);
    this.words.push(0);
  }

  /** Adds the prefix that consists of `parent`, the steps `taken` after it, and `step`. */
  add(parent: Deferred, taken: TakenSteps, parentLength: number, step: Step): Deferred {
    const { words } = this;
    const at = words.length;
    words.push(parent);
    words.push(0);
    let runs = 0;
    for (let run = taken.runAt(parentLength); run < taken.runs; run++) {
      const start = Math.max(taken.startOf(run), parentLength);
      words.push(taken.get(start));
      words.push(taken.endOf(run) - start);
      runs++;
    }
    words.push(step);
    words.push(1);
    words.words[at + RUNS] = runs + 1;
    return at;
  }

  /** Writes the steps of a prefix to `out`. */
  read(deferred: Deferred, out: IntVector): void {
    const { words, chain } = this;
    chain.clear();
    for (let at = deferred; at > DeferredSchedules.NOTHING; at = words.get(at + PARENT)) chain.push(at);
    out.clear();
    for (let i = chain.length - 1; i >= 0; i--) {
      const at = chain.get(i);
      const end = at + HEADER + 2 * words.get(at + RUNS);
      for (let run = at + HEADER; run < end; run += 2) {
        for (let n = words.get(run + 1); n > 0; n--) out.push(words.get(run));
      }
    }
  }
}

/** The steps of the current execution, and where runs of the same step start. */
export class TakenSteps {
  private readonly steps = new IntVector();
  private readonly starts = new IntVector();

  get length(): number {
    return this.steps.length;
  }

  get runs(): number {
    return this.starts.length;
  }

  get(index: number): Step {
    return this.steps.get(index);
  }

  startOf(run: number): number {
    return this.starts.get(run);
  }

  endOf(run: number): number {
    return run + 1 < this.starts.length ? this.starts.get(run + 1) : this.steps.length;
  }

  /** The run of a step, or the number of runs if there is no such step. */
  runAt(index: number): number {
    let run = this.starts.length;
    while (run > 0 && this.endOf(run - 1) > index) run--;
    return run;
  }

  push(step: Step): void {
    const { steps, starts } = this;
    if (steps.length === 0 || steps.get(steps.length - 1) !== step) starts.push(steps.length);
    steps.push(step);
  }

  /** Keeps the first `length` steps. */
  truncate(length: number): void {
    const { steps, starts } = this;
    steps.length = length;
    while (starts.length > 0 && starts.get(starts.length - 1) >= length) starts.length--;
  }
}

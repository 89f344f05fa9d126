/**
 * How many executions a search will have, when somebody asks for its progress. Random executions say so from the start, for a small part
 * of the time; where they differ too much, so does what has been explored of the tree.
 */
import type { TraceCount } from '../explore/dpor/machine/trace-count.ts';
import { type Estimate, Estimator } from '../explore/estimate.ts';

/** Steps of random executions: at first, and per second from then on. About half a second, and a twentieth of the time. */
const FIRST_STEPS = 200_000;
const STEPS_PER_SECOND = 25_000;
/** Enough for a number that may be wrong by two: a tenth of a second. */
const FEW_STEPS = 30_000;
const PIECE_STEPS = 200;
/** Whoever asks waits no longer, in milliseconds, the first time and later. What is not done then is done later: on a busy machine, or where steps are slow. */
const FIRST_WAIT = 2000;
const LATER_WAIT = 200;
/** The standard error that is good enough; that up to which random executions are trusted alone; that from which on they say nothing. */
const ENOUGH = 0.05;
const TRUSTED = 0.4;
const WORST = 1;
/** The range that is shown has so many standard errors to both sides. */
const ERRORS = 2;

export class Forecast {
  private readonly tree = new Estimator();
  private readonly begin: (() => TraceCount) | undefined;
  private count: TraceCount | undefined;
  /** Of random executions, so far. */
  private steps = 0;

  /** `begin`: makes random executions possible. */
  constructor(begin?: () => TraceCount) {
    this.begin = begin;
  }

  /** What the search itself says; `total` is called now and then. */
  note(executions: number, total: () => number): void {
    this.tree.note(executions, total);
  }

  /** `milliseconds` since the start of the search. */
  at(milliseconds: number): Estimate | undefined {
    return this.after(FIRST_STEPS + (STEPS_PER_SECOND * milliseconds) / 1000);
  }

  /** As good as can be had in a moment. */
  get rough(): Estimate | undefined {
    return this.after(FEW_STEPS);
  }

  /** When there have been so many steps of random executions. */
  private after(steps: number): Estimate | undefined {
    const { begin, tree } = this;
    if (begin === undefined) return tree.estimate;
    this.count ??= begin();
    this.makeRuns(this.count, steps - this.steps);
    const found = this.count.estimate;
    if (found === undefined || found.error > WORST) return tree.estimate;
    const { traces, error } = found;
    const sampled = { executions: traces, low: traces / (1 + ERRORS * error), high: traces * (1 + ERRORS * error) };
    return error <= TRUSTED || tree.estimate === undefined ? sampled : union(sampled, tree.estimate);
  }

  private makeRuns(count: TraceCount, steps: number): void {
    const started = performance.now();
    const wait = this.steps < FIRST_STEPS ? FIRST_WAIT : LATER_WAIT;
    for (let done = 0; done < steps && !count.isOver; done += PIECE_STEPS) {
      if (performance.now() - started > wait || (count.estimate?.error ?? 1) <= ENOUGH) return;
      count.advance(PIECE_STEPS);
      this.steps += PIECE_STEPS;
    }
  }
}

/** Where few executions weigh most, both are mostly too low. */
function union(a: Estimate, b: Estimate): Estimate {
  return {
    executions: Math.max(a.executions, b.executions),
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
  };
}

/**
 * How many executions a search will have, when somebody asks for its progress. Random executions say so from the start, for a small part
 * of the time; where they differ too much, what has been explored of the tree does.
 */
import type { TraceCount } from '../explore/dpor/machine/trace-count.ts';
import { type Estimate, Estimator } from '../explore/estimate.ts';

/** In milliseconds: at first; then this part of the time. */
const FIRST = 400;
const SHARE = 0.05;
const PIECE_STEPS = 200;
/** The standard error that is good enough. */
const ENOUGH = 0.05;
/** The range that is shown has so many standard errors to both sides. */
const ERRORS = 2;

export class Forecast {
  private readonly tree = new Estimator();
  private readonly begin: (() => TraceCount) | undefined;
  private count: TraceCount | undefined;
  private spent = 0;

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
    const { begin } = this;
    if (begin === undefined) return this.tree.estimate;
    this.count ??= begin();
    this.makeRuns(this.count, FIRST + SHARE * milliseconds - this.spent);
    const found = this.count.estimate;
    if (found === undefined) return this.tree.estimate;
    const { traces, error } = found;
    return { executions: traces, low: traces / (1 + ERRORS * error), high: traces * (1 + ERRORS * error) };
  }

  private makeRuns(count: TraceCount, time: number): void {
    const started = performance.now();
    while (performance.now() - started < time && !count.isOver && !((count.estimate?.error ?? 1) <= ENOUGH)) {
      count.advance(PIECE_STEPS);
    }
    this.spent += performance.now() - started;
  }
}

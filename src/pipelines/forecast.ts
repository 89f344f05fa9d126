/**
 * Estimates how many executions a search will have, when its progress is asked for. Random executions give an estimate
 * from the start, for a small part of the time; if they vary too much, the explored part of the tree gives one.
 */
import type { TraceCount } from '../explore/dpor/machine/trace-count.ts';
import { type Estimate, Estimator } from '../explore/estimate.ts';

/**
 * Steps of random executions: at first, and per second from then on. They take about half a second, and a twentieth of
 * the time.
 */
const FIRST_STEPS = 200_000;
const STEPS_PER_SECOND = 25_000;
/** Enough for an estimate within a factor of two: a tenth of a second. */
const FEW_STEPS = 30_000;
const PIECE_STEPS = 200;
/**
 * The most milliseconds that callers wait in all at first, and each of them later. On a busy machine, or if steps are
 * slow, the rest is done by later calls.
 */
const FIRST_WAIT = 2000;
const LATER_WAIT = 200;
/**
 * Relative standard errors: good enough to stop; the largest at which random executions are trusted alone; the largest
 * at which they count at all.
 */
const ENOUGH = 0.05;
const TRUSTED = 0.4;
const WORST = 1;
/** The range shown extends this many standard errors to either side. */
const ERRORS = 2;

export class Forecast {
  private readonly tree = new Estimator();
  private readonly begin: (() => TraceCount) | undefined;
  private count: TraceCount | undefined;
  /** Steps of random executions so far. */
  private steps = 0;
  /** Milliseconds that callers have waited for them. */
  private waited = 0;

  /** `begin` starts random executions; absent if they are not possible. */
  constructor(begin?: () => TraceCount) {
    this.begin = begin;
  }

  /** The state of the search itself: `total`, its own estimate, is called now and then. */
  note(executions: number, total: () => number): void {
    this.tree.note(executions, total);
  }

  /** `milliseconds` since the start of the search. */
  at(milliseconds: number): Estimate | undefined {
    return this.after(FIRST_STEPS + (STEPS_PER_SECOND * milliseconds) / 1000);
  }

  /** A rough estimate, made quickly. */
  get rough(): Estimate | undefined {
    return this.after(FEW_STEPS);
  }

  /** The estimate after that many steps of random executions. */
  private after(steps: number): Estimate | undefined {
    const { begin, tree } = this;
    if (begin === undefined) return tree.estimate;
    this.count ??= begin();
    this.makeRuns(this.count, steps - this.steps);
    const found = this.count.estimate;
    // A sample that met only rare executions: there is at least one execution.
    if (found === undefined || found.error > WORST || found.traces < 1) return tree.estimate;
    const { traces, error } = found;
    const sampled = { executions: traces, low: traces / (1 + ERRORS * error), high: traces * (1 + ERRORS * error) };
    return error <= TRUSTED || tree.estimate === undefined ? sampled : union(sampled, tree.estimate);
  }

  private makeRuns(count: TraceCount, steps: number): void {
    const started = performance.now();
    const end = started + Math.max(FIRST_WAIT - this.waited, LATER_WAIT);
    let now = started;
    for (let done = 0; done < steps && !count.isOver; done += PIECE_STEPS) {
      if (now > end || (count.estimate?.error ?? 1) <= ENOUGH) break;
      count.advance(PIECE_STEPS);
      this.steps += PIECE_STEPS;
      now = performance.now();
    }
    this.waited += now - started;
  }
}

/** If few executions carry most of the weight, both estimates are usually too low, so take the higher one. */
function union(a: Estimate, b: Estimate): Estimate {
  return {
    executions: Math.max(a.executions, b.executions),
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
  };
}

/**
 * Judges whether threads that search together are faster than one alone would be. In some searches, or some phases of
 * them, nearly every execution finds a branch that belongs to another job, and threads spend their time asking. Then
 * one thread continues alone for a while, which also shows how fast it is.
 */

/** In seconds: the length of a window; and how long new threads need to warm up. */
const WINDOW = 0.25;
const START = 2.5;
/**
 * A window is slow if it has fewer than `SLOW` of the executions that one thread has in that time, and fewer than
 * `SLOW_CPU` of those that it has in as much CPU time: by the clock alone, other work on the machine would count.
 * After `MANY` slow windows in a row, the threads count as too slow.
 */
const SLOW = 0.9;
const SLOW_CPU = 0.75;
const MANY = 4;
/**
 * If the threads were fast enough for this many seconds, what is left is divided again instead of going to one thread.
 */
const PAID = 4;
/**
 * How long one thread continues alone: `LOOK` seconds to compare; if it is faster, `REST` of the time so far, but at
 * least `LEAST_REST` seconds.
 */
const LOOK = 1;
const REST = 0.5;
const LEAST_REST = 4;

/** Clock and CPU time in seconds, and the number of executions, since some point in time. */
export interface Moment {
  readonly seconds: number;
  readonly cpu: number;
  readonly executions: number;
}

export class Pace {
  private readonly begun: Moment;
  /** Where the present window begins, and when threads began to work together, or one thread alone. */
  private mark: Moment;
  private since: Moment;
  /**
   * The most executions per CPU second so far; and the threads' executions per second since their slow windows began.
   */
  private best: number;
  private together = 0;
  /** The number of slow windows in a row, and where they begin. */
  private slow = 0;
  private slowFrom: Moment;
  private warm = START;

  /** `alone`: executions per second of one thread, if known. */
  constructor(now: Moment, alone = 0) {
    this.begun = now;
    this.mark = now;
    this.since = now;
    this.slowFrom = now;
    this.best = alone;
  }

  /** Whether threads are too slow together. Call now and then. */
  isSlow(now: Moment): boolean {
    const { mark } = this;
    const seconds = now.seconds - mark.seconds;
    if (seconds < WINDOW || now.seconds - this.since.seconds < this.warm) return false;
    const executions = now.executions - mark.executions;
    const rate = executions / seconds;
    const perCpu = executions / (now.cpu - mark.cpu);
    this.mark = now;
    const isSlow = rate < SLOW * this.best && perCpu < SLOW_CPU * this.best;
    if (mark.seconds - this.since.seconds >= this.warm) this.slow = isSlow ? this.slow + 1 : 0;
    if (!isSlow) this.best = Math.max(this.best, perCpu);
    if (this.slow <= 1) this.slowFrom = mark;
    this.together = (now.executions - this.slowFrom.executions) / (now.seconds - this.slowFrom.seconds);
    return this.slow >= MANY;
  }

  /** Whether the threads were fast enough for a while. */
  hasPaid(now: Moment): boolean {
    return now.seconds - this.since.seconds > PAID + MANY * WINDOW;
  }

  /** Whether one thread has been alone for long enough, or is no faster. */
  isRested(now: Moment): boolean {
    const { since } = this;
    const seconds = now.seconds - since.seconds;
    if (seconds < LOOK) return false;
    const rate = (now.executions - since.executions) / seconds;
    const rest = Math.max(LEAST_REST, REST * (since.seconds - this.begun.seconds));
    if (seconds < rest && rate > this.together) return false;
    this.best = (now.executions - since.executions) / (now.cpu - since.cpu);
    return true;
  }

  /** Call when all threads continue together, or one alone. */
  goOn(now: Moment): void {
    this.since = now;
    this.mark = now;
    this.slow = 0;
    this.warm = WINDOW;
  }
}

/** The moment now, for this process. */
export function now(executions: number): Moment {
  const { user, system } = process.cpuUsage();
  return { seconds: performance.now() / 1000, cpu: (user + system) / 1e6, executions };
}

/**
 * Whether a search by several threads has become slow. Late in some searches, what is left are single executions again, and threads spend their
 * time asking each other: then one thread is faster. Measured in CPU time, so that other work on the machine does not matter.
 */

/** In CPU seconds. */
const WINDOW = 2;
/** A window is slow if it has less than this part of the executions of the best one; after so many slow ones in a row it is too slow. */
const SLOW = 1 / 3;
const MANY = 3;

export class Pace {
  private seconds: number;
  private executions = 0;
  private best = 0;
  private slow = 0;

  /** `seconds`: CPU seconds so far, here and below. */
  constructor(seconds: number) {
    this.seconds = seconds;
  }

  /** Whether it has become too slow. Call it now and then, with all executions so far. */
  isSlow(seconds: number, executions: number): boolean {
    const spent = seconds - this.seconds;
    if (spent < WINDOW) return false;
    const rate = (executions - this.executions) / spent;
    this.seconds = seconds;
    this.executions = executions;
    this.best = Math.max(this.best, rate);
    this.slow = rate < SLOW * this.best ? this.slow + 1 : 0;
    return this.slow >= MANY;
  }
}

/** Of this process. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

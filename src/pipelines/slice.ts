/**
 * Ends a slice of a search after some time, however many steps it was given: a step that follows thousands of others
 * may take a thousand times as long as one that follows few, and Ctrl-C must take effect promptly.
 *
 * The clock is read every few dozen microseconds, not after every execution, which takes less than a hundredth of the
 * time. So if executions become slow all at once, at most a few dozen of them pass before that is seen.
 */

/** In milliseconds. */
const LONGEST = 1000;
const BETWEEN_LOOKS = 0.03;
const MOST_EXECUTIONS = 1 << 16;

export class Slice {
  private end = Number.POSITIVE_INFINITY;
  private looked = 0;
  /** Executions between two looks at the clock, and those left until the next one. */
  private executions = 1;
  private left = 1;

  begin(): void {
    this.looked = performance.now();
    this.end = this.looked + LONGEST;
    this.executions = 1;
    this.left = 1;
  }

  /** Asked after each execution, and within long ones. */
  readonly isOver = (): boolean => {
    if (--this.left > 0) return false;
    const now = performance.now();
    const isOften = now - this.looked < BETWEEN_LOOKS;
    this.executions = isOften ? Math.min(2 * this.executions, MOST_EXECUTIONS) : Math.max(1, this.executions >> 1);
    this.left = this.executions;
    this.looked = now;
    return now > this.end;
  };
}

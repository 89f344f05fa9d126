/** How many steps to take before checking the clock and signals again, estimated from how long the last ones took. */
export class Pieces {
  private steps = 500;
  private started = performance.now();
  private readonly target: number;

  /** `target` is the duration of a piece, in milliseconds. */
  constructor(target = 50) {
    this.target = target;
  }

  /** The number of steps of the next piece. Call this before each piece. */
  next(): number {
    const now = performance.now();
    const factor = this.target / Math.max(1, now - this.started);
    this.steps = Math.round(Math.min(1_000_000, Math.max(100, this.steps * Math.min(4, factor))));
    this.started = now;
    return this.steps;
  }
}

/** How many steps to take before checking the clock and signals again: as many as took about so long before. */
export class Pieces {
  private steps = 500;
  private started = performance.now();
  private readonly target: number;

  /** In milliseconds. */
  constructor(target = 50) {
    this.target = target;
  }

  /** Steps for the next piece; call before each. */
  next(): number {
    const now = performance.now();
    const factor = this.target / Math.max(1, now - this.started);
    this.steps = Math.round(Math.min(1_000_000, Math.max(100, this.steps * Math.min(4, factor))));
    this.started = now;
    return this.steps;
  }
}

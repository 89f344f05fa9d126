/** How many steps to take before checking the clock and signals again: as many as took about this long before. */
const TARGET = 50;

export class Pieces {
  private steps = 500;
  private started = performance.now();

  /** Steps for the next piece; call before each. */
  next(): number {
    const now = performance.now();
    const factor = TARGET / Math.max(1, now - this.started);
    this.steps = Math.round(Math.min(1_000_000, Math.max(100, this.steps * Math.min(4, factor))));
    this.started = now;
    return this.steps;
  }
}

/** Time for all models of a check: each may take an equal share of what is left, so that a slow one leaves some to the others. */
export class Shares {
  private readonly seconds: number;
  private readonly deadline: number;
  private end = 0;
  private share = 0;

  constructor(seconds: number) {
    this.seconds = seconds;
    this.deadline = performance.now() + seconds * 1000;
  }

  /** A model begins, and so many come after it. */
  begin(others: number): void {
    const now = performance.now();
    this.share = Math.max(0, this.deadline - now) / (others + 1);
    this.end = now + this.share;
  }

  get isUsedUp(): boolean {
    return performance.now() > this.end;
  }

  /** As a bound. */
  get text(): string {
    return `time: ${Number((this.share / 1000).toPrecision(2))} of ${this.seconds} s`;
  }
}

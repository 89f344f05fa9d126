/**
 * Divides the time of a check among its models: each may take an equal share of what is left, so that a slow one leaves
 * time for the others. What those do not need goes back to it (`put-aside.ts`).
 */
import { outOfTime, type Stop } from '../explore/bound.ts';

export class Shares {
  private readonly seconds: number;
  private readonly deadline: number;
  private end = 0;
  private share = 0;

  constructor(seconds: number) {
    this.seconds = seconds;
    this.deadline = performance.now() + seconds * 1000;
  }

  /** A model begins, with that many after it. */
  begin(others: number): void {
    const now = performance.now();
    this.share = Math.max(0, this.deadline - now) / (others + 1);
    this.end = now + this.share;
  }

  get isUsedUp(): boolean {
    return performance.now() > this.end;
  }

  /** For a model that had so many seconds in all. */
  boundAfter(seconds: number): Stop {
    return outOfTime(this.seconds, Math.min(seconds, this.seconds));
  }

  get bound(): Stop {
    return this.boundAfter(this.share / 1000);
  }
}

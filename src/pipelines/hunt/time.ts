/**
 * Divides the time of a hunt (`--timeout`): without an error the hunt may use all of it; with one, a tenth is reserved
 * to find simpler executions of the errors, each of which may take an equal share of what is then left.
 */
import { outOfTime } from '../../explore/bound.ts';
import type { HuntRun } from './hunt.ts';

const FOR_SHRINKING = 0.1;

export class HuntTime {
  private readonly seconds: number | undefined;
  private readonly now: () => number;
  private readonly deadline: number;

  /** `now` is in milliseconds. */
  constructor(seconds: number | undefined, now: () => number = () => performance.now()) {
    this.seconds = seconds;
    this.now = now;
    this.deadline = seconds === undefined ? Number.POSITIVE_INFINITY : now() + seconds * 1000;
  }

  /** The hunt, stopped in time to simplify its errors. */
  watch(run: HuntRun): Pick<HuntRun, 'advance' | 'stop' | 'wait'> {
    return {
      advance: (steps) => {
        const isDone = run.advance(steps);
        if (!isDone && this.isForShrinking && run.progress.errors > 0) run.stop(outOfTime(this.seconds!));
        return isDone;
      },
      stop: (why) => run.stop(why),
      wait: () => run.wait(),
    };
  }

  private get isForShrinking(): boolean {
    const { seconds, deadline } = this;
    return seconds !== undefined && this.now() > deadline - FOR_SHRINKING * seconds * 1000;
  }

  /**
   * For this many errors. Call the result when an error begins; it returns a function that tells whether the error's
   * share is used up.
   */
  shares(errors: number): () => () => boolean {
    let left = errors;
    return () => {
      const begun = this.now();
      const end = begun + Math.max(0, this.deadline - begun) / Math.max(1, left--);
      return () => this.now() >= end;
    };
  }
}

/**
 * How many executions there will be. The spread is that of the estimates made since a quarter of the present number of executions:
 * an estimate that still wanders means nothing, and is not given. One that is given has mostly been right to within a factor
 * of three in our measurements; early ones tend to be too low, those of very uneven trees too high.
 */
export interface Estimate {
  readonly executions: number;
  readonly low: number;
  readonly high: number;
}

const MIN_EXECUTIONS = 200;
/** A sample is taken whenever the number of executions has grown by this factor. */
const GROWTH = 1.05;
/** From the lowest to the highest estimate of late; more is no estimate. */
const MAX_SPREAD = 3;

export class Estimator {
  private readonly samples: { readonly executions: number; readonly total: number }[] = [];
  private next = MIN_EXECUTIONS / 2;

  /** To be told now and then; `estimate` is asked for only when a sample is due. */
  note(executions: number, estimate: () => number): void {
    if (executions < this.next) return;
    this.next = executions * GROWTH;
    this.samples.push({ executions, total: estimate() });
  }

  get estimate(): Estimate | undefined {
    const last = this.samples.at(-1);
    if (last === undefined || last.executions < MIN_EXECUTIONS) return undefined;
    const recent = this.samples.filter((s) => s.executions >= last.executions / 4).map((s) => s.total);
    const [low, high] = [Math.min(...recent), Math.max(...recent)];
    if (recent.length < 5 || high > MAX_SPREAD * low) return undefined;
    return { executions: last.total, low, high };
  }
}

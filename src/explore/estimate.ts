/**
 * Estimates the total number of executions from the search tree ([trace-count.ts](./dpor/machine/trace-count.ts) needs
 * no tree). The range covers the estimates made since a quarter of the current number of executions; as long as they
 * vary widely they mean nothing, and none is given. In our measurements, a given estimate was mostly right to within a
 * factor of three; early ones tend to be too low, those of very uneven trees too high.
 */
export interface Estimate {
  readonly executions: number;
  readonly low: number;
  readonly high: number;
}

const MIN_EXECUTIONS = 200;
/** A sample is taken whenever the number of executions has grown by this factor. */
const GROWTH = 1.05;
/** Highest over lowest recent estimate; beyond this none is given. */
const MAX_SPREAD = 3;

export class Estimator {
  private readonly samples: { readonly executions: number; readonly total: number }[] = [];
  private next = MIN_EXECUTIONS / 2;

  /** Call now and then; `estimate` is called only when a sample is due. */
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
    if (recent.length < 5 || high > MAX_SPREAD * low || last.total < 1) return undefined;
    return { executions: last.total, low, high };
  }
}

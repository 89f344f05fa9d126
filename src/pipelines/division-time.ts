/**
 * When a search is worth dividing. A thread takes about two seconds of CPU time until it is as fast as the first one, so a search that ends
 * soon is better off alone. How long it will take, its forecast says. That takes time too, and its speed must be known, so it is asked after a while.
 */
import type { Forecast } from './forecast.ts';
import type { Helpers } from './helpers.ts';

/** Over how long speed is measured, in seconds. */
const WINDOW = 0.2;
/** What must be left, by the forecast, in seconds: for a search that goes on, and for one that begins anew. */
const WORTH = 6;
const WORTH_ANEW = 10;

export class DivisionTime {
  private readonly helpers: Pick<Helpers, 'after'>;
  private readonly forecast: Forecast;
  /** When the forecast is asked again, in seconds. */
  private next = 0;
  /** Where speed was last measured, in seconds and executions, and what it was, in executions per second. */
  private mark = { seconds: 0, executions: 0 };
  speed = 0;
  /** What is left by the forecast, in seconds. */
  private left = Number.POSITIVE_INFINITY;

  constructor(helpers: Pick<Helpers, 'after'>, forecast: Forecast) {
    this.helpers = helpers;
    this.forecast = forecast;
  }

  /** Whether it is time, after so many seconds and executions. Call it now and then. */
  isDue(seconds: number, executions: number): boolean {
    const { after } = this.helpers;
    this.measure(seconds, executions);
    if (after === 0 || seconds < Math.max(after, this.next)) return after === 0;
    this.left = this.secondsLeft(executions);
    return this.isWorth(WORTH, seconds);
  }

  /** When it is time: whether that holds for a search that has to begin anew. */
  isDueAnew(seconds: number): boolean {
    return this.isWorth(WORTH_ANEW, seconds);
  }

  private isWorth(least: number, seconds: number): boolean {
    if (this.left >= least) return true;
    // A forecast may be wrong: it is asked again.
    this.next = 2 * seconds;
    return false;
  }

  private measure(seconds: number, executions: number): void {
    const { mark } = this;
    if (seconds - mark.seconds < WINDOW) return;
    this.speed = (executions - mark.executions) / (seconds - mark.seconds);
    this.mark = { seconds, executions };
  }

  /** Infinite if nobody knows. */
  private secondsLeft(executions: number): number {
    const total = this.forecast.rough?.executions ?? 0;
    return total <= executions ? Number.POSITIVE_INFINITY : (total - executions) / this.speed;
  }
}

/**
 * Decides when a search is worth dividing. A new thread needs about two seconds of CPU time to become as fast as the
 * first one, so a search that ends soon is faster alone. The forecast says how long it will take. Forecasting takes
 * time, too, and needs the speed of the search, so it is done only after a while.
 */
import type { Forecast } from './forecast.ts';
import type { Helpers } from './helpers.ts';

/** The seconds over which speed is measured. */
const WINDOW = 0.2;
/** The least seconds that must be left, by the forecast: for a search that continues, and for one that starts over. */
const WORTH = 6;
const WORTH_ANEW = 10;

export class DivisionTime {
  private readonly helpers: Pick<Helpers, 'after'>;
  private readonly forecast: Forecast;
  /** When the forecast is asked again, in seconds. */
  private next = 0;
  /** When speed was last measured, in seconds and executions; and the speed then, in executions per second. */
  private mark = { seconds: 0, executions: 0 };
  speed = 0;
  /** The seconds left, by the forecast. */
  private left = Number.POSITIVE_INFINITY;

  constructor(helpers: Pick<Helpers, 'after'>, forecast: Forecast) {
    this.helpers = helpers;
    this.forecast = forecast;
  }

  /** Whether it is time to divide the search, after so many seconds and executions. To be called now and then. */
  isDue(seconds: number, executions: number): boolean {
    const { after } = this.helpers;
    this.measure(seconds, executions);
    if (after === 0 || seconds < Math.max(after, this.next)) return after === 0;
    this.left = this.secondsLeft(executions);
    return this.isWorth(WORTH, seconds);
  }

  /** When it is time: whether it also is for a search that has to start over. */
  isDueAnew(seconds: number): boolean {
    return this.isWorth(WORTH_ANEW, seconds);
  }

  private isWorth(least: number, seconds: number): boolean {
    if (this.left >= least) return true;
    // A forecast may be wrong, so make another one later.
    this.next = 2 * seconds;
    return false;
  }

  private measure(seconds: number, executions: number): void {
    const { mark } = this;
    if (seconds - mark.seconds < WINDOW) return;
    this.speed = (executions - mark.executions) / (seconds - mark.seconds);
    this.mark = { seconds, executions };
  }

  /** Infinite if unknown. */
  private secondsLeft(executions: number): number {
    const total = this.forecast.rough?.executions ?? 0;
    return total <= executions ? Number.POSITIVE_INFINITY : (total - executions) / this.speed;
  }
}

/**
 * Whether the end of a search is in sight. Its own estimate says how many executions there are, and so how long the
 * rest will take. This is looked at after 30 seconds, a minute, two minutes and so on: if the time left has not become
 * shorter, or there still is no estimate, the search may run for ever, which its user should know.
 */
import type { Estimate } from '../explore/estimate.ts';
import type { Model } from '../models/index.ts';
import type { CheckProgress } from './model-result.ts';

export interface NoEnd {
  readonly model: Model;
  readonly executions: number;
  readonly seconds: number;
  /** How many there are in all, and how many seconds the rest will take at least; absent if nothing is known. */
  readonly inAll?: number;
  readonly left?: number;
}

const FIRST = 30;
/** Seconds that nobody waits for. */
const DAY = 86_400;

export class Outlook {
  private model: Model | undefined;
  private next = 0;
  private left = Number.POSITIVE_INFINITY;

  /** Call this often. Answers at most once for each search. */
  look(now: CheckProgress): NoEnd | undefined {
    if (now.model !== this.model || now.seconds < this.next / 2) this.begin(now.model);
    if (now.seconds < this.next) return undefined;
    const isFirst = this.next === FIRST;
    this.next *= 2;
    const { model, executions, seconds, estimate } = now;
    const before = this.left;
    this.left = secondsLeft(estimate, executions, seconds);
    if (this.left < seconds || (isFirst ? this.left < DAY : this.left < before)) return undefined;
    if (isFirst && estimate === undefined) return undefined;
    this.next = Number.POSITIVE_INFINITY;
    const known = estimate === undefined ? {} : { inAll: estimate.executions, left: this.left };
    return { model, executions, seconds, ...known };
  }

  private begin(model: Model): void {
    this.model = model;
    this.next = FIRST;
    this.left = Number.POSITIVE_INFINITY;
  }
}

/** The least that the estimate allows. */
function secondsLeft(estimate: Estimate | undefined, executions: number, seconds: number): number {
  if (estimate === undefined || executions === 0) return Number.POSITIVE_INFINITY;
  return (Math.max(0, estimate.low - executions) / executions) * seconds;
}

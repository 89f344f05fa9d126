/** Random priorities of processes: the enabled process with the highest priority goes first. */
import { type IntVector, larger } from '../util/int-vector.ts';
import type { Prng } from '../util/prng.ts';
import { processOf, type Step } from './runnable.ts';

const MANY = 1 << 28;
/** No priority yet. */
const NONE = 0;

export class Priorities {
  private words: Int32Array = new Int32Array(64);
  /** Drawn priorities are at least this; lower ones can be given. At least 1. */
  private readonly least: number;

  constructor(least = 1) {
    this.least = least;
  }

  clear(): void {
    this.words.fill(NONE);
  }

  /** Sets a priority below `least`. */
  give(process: number, priority: number): void {
    this.words[process] = priority;
  }

  /** A new one is drawn when it is needed. */
  forget(process: number): void {
    this.words[process] = NONE;
  }

  /** How many processes have a priority. */
  get count(): number {
    return this.words.reduce((count, priority) => count + (priority === NONE ? 0 : 1), 0);
  }

  /** One of the steps of the process with the highest priority. A process without a priority gets one. */
  pick(steps: IntVector, prng: Prng): Step {
    let [best, first, count] = [-1, 0, 0];
    for (let i = 0; i < steps.length; i++) {
      const process = processOf(steps.get(i));
      const priority = this.of(process, prng);
      if (process === best) count++;
      else if (best < 0 || priority > this.words[best]!) [best, first, count] = [process, i, 1];
    }
    // The choices of a process are adjacent.
    return steps.get(count === 1 ? first : first + prng.below(count));
  }

  private of(process: number, prng: Prng): number {
    while (process >= this.words.length) this.words = larger(this.words);
    if (this.words[process] === NONE) this.words[process] = this.least + prng.below(MANY);
    return this.words[process]!;
  }
}

/**
 * Decides whether workers search together or one continues alone. If jobs are too small to be worth handing out, or
 * nearly every execution asks about branches of other jobs, what is left is merged into one job: one worker goes
 * through the tree in order, and asks nothing. If the workers were faster together until then, it is divided again,
 * into jobs that are as large as possible.
 */
import type { Keeper } from '../explore/frontier/keeper.ts';
import { modelNamed } from '../models/index.ts';
import type { SharedWork } from '../pipelines/together.ts';
import type { Collected } from './collected.ts';
import type { Moment, Pace } from './pace.ts';

export type WatchedPace = Pick<Pace, 'isSlow' | 'hasPaid' | 'isRested' | 'goOn'>;

/** Merged levels are nested. For more than a thousand, V8 lacks the stack for structured clones and for JSON. */
const DEEPEST = 400;

export class Turns {
  /**
   * `merging`: all workers hand over what they have. `alone`: one continues with what is left, as one job; the others
   * are idle.
   */
  mode: 'together' | 'merging' | 'alone' = 'together';
  /** How often the search was divided again, or one worker continued alone. */
  count = 0;
  /** Whether jobs can be merged. Those that share nothing cannot: of Retrace, execution graphs, parts by orders. */
  private readonly areRelated: boolean;
  private readonly keeper: Keeper;
  private readonly found: Pick<Collected<unknown>, 'lookAgain'>;
  private readonly pace: WatchedPace;

  constructor(
    { model, options }: SharedWork,
    isAnew: boolean,
    keeper: Keeper,
    found: Pick<Collected<unknown>, 'lookAgain'>,
    pace: WatchedPace,
  ) {
    this.areRelated = !isAnew && !keeper.isList && !modelNamed(model).isAxiomatic && options.strategy !== 'graph';
    this.keeper = keeper;
    this.found = found;
    this.pace = pace;
  }

  /** Whether what is left can be merged into one job. */
  get canMerge(): boolean {
    return this.areRelated && this.keeper.depth <= DEEPEST;
  }

  /**
   * Call when jobs are too small to be worth handing out. Returns whether all workers should hand over now, or must
   * give up because what they have cannot be merged; `undefined` if a merge is under way or one worker is already
   * alone.
   */
  beginMerge(): 'hand over' | 'give up' | undefined {
    if (this.mode !== 'together') return undefined;
    if (!this.canMerge) return 'give up';
    this.mode = 'merging';
    return 'hand over';
  }

  /** Call when no worker has a job and all have handed over. Returns false if what is left can no longer be merged. */
  merge(now: Moment, canDivide: boolean): boolean {
    if (!this.canMerge) return false;
    const divides = canDivide && this.pace.hasPaid(now);
    this.keeper.merge(divides);
    this.goOn(divides ? 'together' : 'alone', now);
    return true;
  }

  private goOn(mode: 'together' | 'alone', now: Moment): void {
    this.count++;
    this.mode = mode;
    this.found.lookAgain();
    this.pace.goOn(now);
  }

  /** Call now and then. `divide`: what one worker does alone should be divided. `merge`: all should hand over. */
  watch(now: Moment): 'divide' | 'merge' | undefined {
    if (!this.areRelated || this.mode === 'merging') return undefined;
    if (this.mode === 'together') return this.pace.isSlow(now) ? 'merge' : undefined;
    if (!this.pace.isRested(now)) return undefined;
    // What is left may have become worth dividing.
    this.goOn('together', now);
    return 'divide';
  }
}

/**
 * Whether workers search together, or one goes on alone. If parts are too small to be worth handing out, or nearly every execution asks about branches
 * of others, what is left becomes one job again: one worker goes through the tree in order, and asks nobody. If they were faster until now, it is divided
 * again: the jobs are then as large as they can be.
 */
import type { Keeper } from '../explore/frontier/keeper.ts';
import { modelNamed } from '../models/index.ts';
import type { SharedWork } from '../pipelines/together.ts';
import type { Collected } from './collected.ts';
import type { Moment, Pace } from './pace.ts';

export type WatchedPace = Pick<Pace, 'isSlow' | 'hasPaid' | 'isRested' | 'goOn'>;

/** Merged levels are nested. In V8, structured clones of more than a thousand fail, and so does JSON, for lack of stack. */
const DEEPEST = 400;

export class Turns {
  /** `merging`: all hand over what they have. `alone`: one goes on with what is left, as one job; the others have nothing to do. */
  mode: 'together' | 'merging' | 'alone' = 'together';
  /** How often it was divided anew, or one went on alone. */
  count = 0;
  /** Parts that share nothing cannot be made one again: graphs, and those by orders. */
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
    this.areRelated = !isAnew && !modelNamed(model).isAxiomatic && options.strategy !== 'graph';
    this.keeper = keeper;
    this.found = found;
    this.pace = pace;
  }

  /** Whether what is left can be one job again. */
  get canMerge(): boolean {
    return this.areRelated && this.keeper.depth <= DEEPEST;
  }

  /** Nobody works now, and all have handed over. False if it can no longer be merged. */
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

  /** Whether it is time for a change. Then what one has alone is to be divided, or all should hand over: call it now and then. */
  watch(now: Moment): 'divide' | 'merge' | undefined {
    if (!this.areRelated || this.mode === 'merging') return undefined;
    if (this.mode === 'together') return this.pace.isSlow(now) ? 'merge' : undefined;
    if (!this.pace.isRested(now)) return undefined;
    // What is left may have become worth dividing.
    this.goOn('together', now);
    return 'divide';
  }
}

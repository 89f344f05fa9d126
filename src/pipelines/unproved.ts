/** What a strategy leaves open even if it comes to its end. */
import type { Bound } from '../explore/bound.ts';
import type { Model } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import type { CheckOptions } from '../options/check.ts';
import { DEFAULT_DELAYS, type StrategyName } from '../options/search.ts';

export function unproved(
  strategy: StrategyName,
  model: Model,
  { only, delays = DEFAULT_DELAYS }: CheckOptions,
  boundedBy: readonly Bound[],
): readonly Bound[] {
  // That waking threads loses nothing when few delays are tried is not argued for store buffers.
  if (strategy === 'delays' && model !== SC.name && !boundedBy.some(({ kind }) => kind === 'delays'))
    return [{ kind: 'delays', limit: delays }];
  // In graphs, an execution that ends early says nothing of the threads that have not run yet.
  if (strategy === 'graph' && only !== undefined && !only.includes('assertions'))
    return [{ kind: 'unmodelled', what: 'assertions that are no errors end an execution', places: [] }];
  return [];
}

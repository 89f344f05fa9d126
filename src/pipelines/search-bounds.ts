/** The bounds of a verdict: what cut the search short, and what its strategy leaves open even if it is exhausted. */
import type { Bound } from '../explore/bound.ts';
import type { ExplorationResult } from '../explore/explore.ts';
import type { Model } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import type { CheckOptions } from '../options/check.ts';
import { DEFAULT_DELAYS, type StrategyName } from '../options/search.ts';
import type { Program } from '../program/ir.ts';

interface Searched {
  readonly strategy: StrategyName;
  readonly model: Model;
  readonly options: CheckOptions;
  readonly program: Program;
}

/** `unknown`: what the results of operations could not be compared with, if anything. */
export function boundsOf(
  found: ExplorationResult,
  executions: number,
  unknown: Bound | undefined,
  searched: Searched,
): readonly Bound[] {
  const { nondet } = searched.program;
  return [
    ...found.boundedBy.filter(({ kind }) => kind !== 'first error'),
    ...(unknown === undefined ? [] : [unknown]),
    ...(executions === 0 && found.blocked > 0 ? [{ kind: 'vacuous' } as const] : []),
    ...(nondet === undefined ? [] : [{ kind: 'nondet', range: nondet } as const]),
    ...unproved(searched, found.boundedBy),
  ];
}

function unproved(
  { strategy, model, options: { only, delays = DEFAULT_DELAYS } }: Searched,
  boundedBy: readonly Bound[],
): readonly Bound[] {
  // There is no proof for store buffers that waking threads loses nothing when few delays are tried.
  if (strategy === 'delays' && model !== SC.name && !boundedBy.some(({ kind }) => kind === 'delays'))
    return [{ kind: 'delays', limit: delays }];
  // In graphs, an execution that ends early says nothing about the threads that have not run yet.
  if (strategy === 'graph' && only !== undefined && !only.includes('assertions'))
    return [{ kind: 'unmodelled', what: 'failed assertions that do not count as errors', places: [] }];
  return [];
}

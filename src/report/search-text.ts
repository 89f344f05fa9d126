/** Which strategies explored a program, and whether the lists of its errors are complete. */
import { MODELS } from '../models/index.ts';
import type { WhyEnumerated } from '../pipelines/strategies.ts';
import { type Bounded, cutsOf } from './bounds.ts';

interface Searched extends Bounded {
  readonly model: string;
  readonly how?: string;
  readonly enumerated?: WhyEnumerated;
  readonly error?: unknown;
}

const WHY: Readonly<Record<WhyEnumerated, string>> = {
  'atomic sections': 'the program has atomic sections',
  membarrier: 'the program calls membarrier',
  'assertions do not count': 'failed assertions end executions, but do not count',
  'no happens-before': 'the model has no happens-before',
  'all errors': 'an error ends its execution, and may hide others',
};

/** `optimal`; `optimal, under pslo enumerate (the model has no happens-before)`; `enumerate instead of optimal (…)`. */
export function searchText(strategy: string, results: readonly Searched[]): string {
  const others = results.filter(({ model }) => !isAxiomatic(model));
  if (others.length === 0 && results.length > 0) return 'graph';
  // A verdict that follows from SC needed no search.
  const searched = results.filter(({ model, how }) => isAxiomatic(model) && how !== 'robust' && how !== 'sc');
  const graphs = searched.map(({ model }) => model);
  return [searchOf(strategy, others), ...(graphs.length === 0 ? [] : [`graph under ${graphs.join(', ')}`])].join(', ');
}

/** Axiomatic models are explored as execution graphs, whatever strategy was asked for. */
export function isAxiomatic(model: string): boolean {
  return MODELS.some(({ name, isAxiomatic }) => name === model && isAxiomatic);
}

function searchOf(strategy: string, results: readonly Searched[]): string {
  const reasons = [...new Set(results.flatMap(({ enumerated }) => enumerated ?? []))];
  const parts = reasons.map((why) => {
    const under = results.filter(({ enumerated }) => enumerated === why).map(({ model }) => model);
    const where = under.length === results.length ? '' : `under ${under.join(', ')} `;
    return `${where}${why === 'all errors' ? 'then ' : ''}enumerate (${WHY[why]})`;
  });
  const isReplaced =
    results.length > 0 && results.every(({ enumerated = 'all errors' }) => enumerated !== 'all errors');
  return isReplaced ? `${parts.join('; ')} instead of ${strategy}` : [strategy, ...parts].join(', ');
}

/** Strategies that reach every state, so that no error hides another. */
const REACH_ALL: readonly string[] = ['enumerate', 'exhaustive'];

/** With `--keep-going`: whether the lists of errors are complete. */
export function errorListsText(strategy: string, results: readonly Searched[]): readonly string[] {
  const lists = results.filter(({ error }) => error !== undefined);
  if (lists.length === 0) return [];
  const isComplete = (result: Searched): boolean =>
    cutsOf(result).length === 0 && (REACH_ALL.includes(strategy) || result.enumerated !== undefined);
  const complete = lists.filter(isComplete).map(({ model }) => model);
  if (complete.length === lists.length) return ['The lists of errors are complete: each error that ends an execution.'];
  const of = complete.length === 0 ? '' : `under ${complete.join(', ')} the list of errors is complete; `;
  const rest = 'there may be more errors than are listed, since the search did not reach every state';
  const text = `${of}${of === '' ? '' : 'elsewhere '}${rest}.`;
  return [text[0]!.toUpperCase() + text.slice(1)];
}

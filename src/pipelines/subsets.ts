/**
 * What follows for SC where its own search was cut short, and that of TSO or PSO was not.
 *
 * Every SC execution is one of TSO and of PSO: the one in which each store reaches memory in the step after the thread
 * has executed it. All buffers are empty between the other steps, so no operation waits that would not wait under SC
 * (fences, locks and atomic sections wait only for buffers), every load reads what it reads under SC, and where no
 * thread can step under SC, none can step here: the same assertions fail, the same threads deadlock or wait forever. So
 * where the exhaustive search of TSO or PSO found no error, SC has none.
 *
 * Needed for that, and checked here:
 *
 * - the larger model was explored to its end, without any bound: `verified`, and not itself derived from SC
 * - only time, memory or a number cut SC's search short: where it met something that is not modelled, so would the other
 * - some SC execution ran to its end: otherwise the answer would be vacuous under SC, if not under the larger model
 * - errors are judged one execution at a time: not results of operations (`--observations`), which are compared with
 *   other executions, and not C11 data races (`--races`)
 * - no membarrier, which waits for the buffers of other threads
 */
import type { Bound } from '../explore/bound.ts';
import { type Model, modelNamed } from '../models/index.ts';
import { delaysStores, isUsual } from '../models/model.ts';
import { SC } from '../models/sc.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import type { ModelResult } from './model-result.ts';
import { hasMembarrier } from './strategies.ts';

/** TSO and PSO, under any name. */
function hasAllOfSc(name: Model): boolean {
  const model = modelNamed(name);
  return delaysStores(model) && isUsual(model);
}

const RESOURCES: readonly Bound['kind'][] = ['stopped', 'executions', 'states', 'steps', 'memory', 'state memory'];

/** The results, with SC verified where that follows. */
export function withSubsets(
  results: readonly ModelResult[],
  options: CheckOptions,
  program: Program,
): readonly ModelResult[] {
  const superset = supersetAmong(results, options, program);
  if (superset === undefined) return results;
  const isOpen = (one: ModelResult): boolean =>
    one.model === SC.name && one.verdict.kind === 'inconclusive' && mayFollow(one);
  return results.map((result) => (isOpen(result) ? follow(result, superset) : result));
}

/** A model whose result decides SC, if there is one. */
export function supersetAmong(
  results: readonly ModelResult[],
  { observations, races }: CheckOptions,
  program: Program,
): Model | undefined {
  if (observations === true || races || hasMembarrier(program)) return undefined;
  return results.find((one) => hasAllOfSc(one.model) && one.how === 'explored' && isVerified(one))?.model;
}

function isVerified({ verdict }: ModelResult): boolean {
  return verdict.kind === 'verified';
}

/** Whether a result of SC, perhaps so far, has seen all that it takes to follow. */
export function mayFollow({ boundedBy, executions, errors }: ModelResult): boolean {
  return errors.length === 0 && executions > 0 && boundedBy.every(({ kind }) => RESOURCES.includes(kind));
}

function follow({ unchecked, ...result }: ModelResult, subsetOf: Model): ModelResult {
  // Its search, cut short, may not have met all threads.
  const known = unchecked?.includes('assertions') === true ? { unchecked: ['assertions'] as const } : {};
  return { ...result, ...known, verdict: { kind: 'verified' }, how: 'subset', subsetOf, boundedBy: [], bounds: [] };
}

/** The bounds of a report, by kind. Code must not parse their texts, which are for people. */
import type { Bound } from '../explore/bound.ts';

const VACUOUS: readonly Bound['kind'][] = ['vacuous'];

/** `boundedBy` has the data of each text, in the same order; reports of earlier versions have only texts. */
export interface Bounded {
  readonly bounds?: readonly string[];
  readonly boundedBy?: readonly Pick<Bound, 'kind'>[];
}

/** Every execution was blocked, so an answer would be meaningless. */
export function isVacuous({ boundedBy = [] }: Bounded): boolean {
  return boundedBy.some(({ kind }) => kind === 'vacuous');
}

/** The search was stopped: by a timeout or Ctrl-C. */
export function isStopped({ boundedBy = [] }: Bounded): boolean {
  return boundedBy.some(({ kind }) => kind === 'stopped');
}

/** What stopped a search before it had seen everything. */
export function cutsOf(result: Bounded): readonly string[] {
  return without(result, VACUOUS);
}

/** For a hunt: what stopped it before it had made the requested runs and trials. */
export function huntCutsOf(result: Bounded): readonly string[] {
  return without(result, ['sc runs', 'trials']);
}

/** Whether bound number `i` of the result stopped the search. */
export function isCut(result: Bounded, i: number): boolean {
  return isOther(result, i, VACUOUS);
}

function without(result: Bounded, kinds: readonly Bound['kind'][]): readonly string[] {
  return (result.bounds ?? []).filter((_, i) => isOther(result, i, kinds));
}

function isOther({ boundedBy = [] }: Bounded, i: number, kinds: readonly Bound['kind'][]): boolean {
  return boundedBy[i] === undefined || !kinds.includes(boundedBy[i].kind);
}

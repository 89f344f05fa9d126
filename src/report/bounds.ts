/** The bounds of a report, by kind. Code must not parse their texts, which are for people. */
import type { Bound } from '../explore/bound.ts';

const VACUOUS: readonly Bound['kind'][] = ['vacuous'];

/** `boundedBy` has the data of each text, in the same order; reports of earlier versions have only texts. */
export interface Bounded {
  readonly bounds?: readonly string[];
  readonly boundedBy?: readonly Pick<Bound, 'kind'>[];
}

/** `kind` is absent in reports of earlier versions. */
interface BoundText {
  readonly text: string;
  readonly kind: Bound['kind'] | undefined;
}

/** The two arrays as one. */
export function boundsOf({ bounds = [], boundedBy = [] }: Bounded): readonly BoundText[] {
  return bounds.map((text, i) => ({ text, kind: boundedBy[i]?.kind }));
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

/** Whether the bound stopped the search. */
export function isCut({ kind }: BoundText): boolean {
  return kind === undefined || !VACUOUS.includes(kind);
}

function without(result: Bounded, kinds: readonly Bound['kind'][]): readonly string[] {
  return boundsOf(result).flatMap(({ text, kind }) => (kind === undefined || !kinds.includes(kind) ? [text] : []));
}

/** What a run says, as plain data. Reports, JSON and exit codes are made from it and from nothing else. */

/**
 * `verified` only for an exhausted, unbounded search; `inconclusive` cannot be built without naming what cut it short.
 */
export type Verdict =
  | { readonly kind: 'violation' }
  | { readonly kind: 'verified' }
  | { readonly kind: 'inconclusive'; readonly because: readonly [string, ...string[]] };

/** A bound of its own: every execution was blocked, so that nothing is known of the program's end. */
export const VACUOUS = 'vacuous: no execution ran to its end';

/** What stopped a search before it had seen everything. */
export function cutsOf(bounds: readonly string[]): readonly string[] {
  return bounds.filter((bound) => bound !== VACUOUS);
}

/** The verdict of a search that found no violation. */
export function verdictWithoutViolation(bounds: readonly string[]): Verdict {
  const [first, ...rest] = bounds;
  return first === undefined ? { kind: 'verified' } : { kind: 'inconclusive', because: [first, ...rest] };
}

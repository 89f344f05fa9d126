/** The results of a run, as plain data. Reports, JSON and exit codes are made from these and from nothing else. */

/**
 * `verified` only for an exhausted, unbounded search; `inconclusive` cannot be built without naming what cut it short.
 */
export type Verdict =
  | { readonly kind: 'violation' }
  | { readonly kind: 'verified' }
  | { readonly kind: 'inconclusive'; readonly because: readonly [string, ...string[]] };

/** The verdict of a search that found no violation. */
export function verdictWithoutViolation(bounds: readonly string[]): Verdict {
  const [first, ...rest] = bounds;
  return first === undefined ? { kind: 'verified' } : { kind: 'inconclusive', because: [first, ...rest] };
}

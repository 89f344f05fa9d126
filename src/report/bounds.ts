/** The bounds of a report, which are texts: `kind: limit`. */

/** Every execution was blocked, so that an answer would say nothing. */
export function isVacuous(bounds: readonly string[]): boolean {
  return bounds.some((bound) => bound.startsWith('vacuous:'));
}

/** What stopped a search before it had seen everything. */
export function cutsOf(bounds: readonly string[]): readonly string[] {
  return bounds.filter((bound) => !bound.startsWith('vacuous:'));
}

/** Of a hunt: what stopped it before it had made the runs and trials that it was asked for. */
export function huntCutsOf(bounds: readonly string[]): readonly string[] {
  return bounds.filter((bound) => !/^\d+ (SC runs|trials)$/.test(bound));
}

/**
 * Exact minimum-cost hitting sets: the cheapest of all sets that contain an element of every constraint.
 *
 * Branch and bound. Branches on the elements of an unhit constraint with the fewest allowed elements. Once an element
 * has been tried, later branches exclude it, so no set is visited twice. The bound is the sum of the cheapest elements
 * of disjoint constraints. Exponential in the worst case; constraints here are few and small.
 */

interface HittingSets {
  readonly cost: number;
  /** At most as many as requested, each ascending. */
  readonly sets: readonly (readonly number[])[];
}

/**
 * `costs`, by element, are greater than 0. Sets that are `isKnown` are left out; no other hitting set may be a subset
 * of one. `undefined` if no set is left.
 */
export function minimumHittingSets(
  constraints: readonly (readonly number[])[],
  costs: readonly number[],
  limit: number,
  isKnown: (set: readonly number[]) => boolean = () => false,
): HittingSets | undefined {
  const search = new Search(withoutSupersets(constraints), costs, limit, isKnown);
  search.run();
  return search.best === Number.POSITIVE_INFINITY ? undefined : { cost: search.best, sets: search.sets };
}

/** A set that hits a constraint also hits its supersets. */
function withoutSupersets(constraints: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const sorted = constraints.map((c) => new Set(c)).sort((a, b) => a.size - b.size);
  const kept: Set<number>[] = [];
  for (const constraint of sorted) {
    if (!kept.some((k) => [...k].every((element) => constraint.has(element)))) kept.push(constraint);
  }
  return kept.map((constraint) => [...constraint]);
}

/** Tolerance when comparing sums of costs. */
const EPSILON = 1e-9;

class Search {
  best: number = Number.POSITIVE_INFINITY;
  sets: (readonly number[])[] = [];
  private readonly constraints: readonly (readonly number[])[];
  private readonly costs: readonly number[];
  private readonly limit: number;
  private readonly isKnown: (set: readonly number[]) => boolean;
  private readonly taken = new Set<number>();
  private readonly excluded = new Set<number>();

  constructor(
    constraints: readonly (readonly number[])[],
    costs: readonly number[],
    limit: number,
    isKnown: (set: readonly number[]) => boolean,
  ) {
    this.constraints = constraints;
    this.costs = costs;
    this.limit = limit;
    this.isKnown = isKnown;
  }

  run(cost = 0): void {
    const { taken, excluded, costs } = this;
    const unhit = this.constraints
      .filter((constraint) => !constraint.some((element) => taken.has(element)))
      .map((constraint) => constraint.filter((element) => !excluded.has(element)))
      .sort((a, b) => a.length - b.length);
    if (unhit.length === 0) return this.add(cost);
    const least = cost + this.bound(unhit);
    if (least > this.best + EPSILON || (least > this.best - EPSILON && this.sets.length >= this.limit)) return;
    const branches = unhit[0]!.toSorted((a, b) => costs[a]! - costs[b]! || a - b);
    for (const element of branches) {
      taken.add(element);
      this.run(cost + costs[element]!);
      taken.delete(element);
      excluded.add(element);
    }
    for (const element of branches) excluded.delete(element);
  }

  private bound(unhit: readonly (readonly number[])[]): number {
    const used = new Set<number>();
    let bound = 0;
    for (const constraint of unhit) {
      if (constraint.some((element) => used.has(element))) continue;
      let least = Number.POSITIVE_INFINITY;
      for (const element of constraint) {
        used.add(element);
        least = Math.min(least, this.costs[element]!);
      }
      bound += least;
    }
    return bound;
  }

  private add(cost: number): void {
    const set = [...this.taken].sort((a, b) => a - b);
    if (this.isKnown(set)) return;
    if (cost < this.best - EPSILON) {
      this.best = cost;
      this.sets = [];
    }
    if (cost < this.best + EPSILON && this.sets.length < this.limit) this.sets.push(set);
  }
}

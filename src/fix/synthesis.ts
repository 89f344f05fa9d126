/**
 * Finds the cheapest changes that make a program hold, by implicit hitting sets: take the cheapest set that hits all
 * constraints so far; check the program with it; a failure gives one more constraint; repeat. Every fix has a change of
 * each constraint (`constraint.ts`), so the first set that holds is a cheapest one. Others of the same cost are found
 * in the same way.
 *
 * It terminates: a failing set is ruled out by the constraint learnt from it, and there are finitely many sets.
 */

import { type Bound, Bounds, type Stop } from '../explore/bound.ts';
import type { FoundError } from '../explore/explore.ts';
import { type FixModel, modelNamed } from '../models/index.ts';
import type { Program } from '../program/ir.ts';
import { applyChanges } from './apply.ts';
import type { Candidates, Change } from './candidates.ts';
import { type BadExecution, Constraint } from './constraint.ts';
import { GraphConstraint } from './graph-constraint.ts';
import { minimumHittingSets } from './hitting-set.ts';

/** One search for a bad execution; call `advance` until it returns true. */
export interface Search {
  advance(steps: number): boolean;
  stop(why: Stop): void;
  readonly counts: { readonly executions: number };
  readonly outcome: SearchOutcome;
  /** While helpers work on the search: a promise that resolves after a moment. */
  wait?(): Promise<void> | undefined;
}

/** The `schedule` of a bad execution and the error that it ends in, if any; and what cut the search short. */
export interface SearchOutcome {
  readonly schedule?: string;
  readonly error?: FoundError['error'];
  readonly bounds: readonly Bound[];
}

/** What a fix must achieve. */
export type Checker = (program: Program, model: FixModel) => Search;

/** What was learnt from one execution: every fix has one of `changes`. */
export interface Learnt {
  readonly execution: BadExecution;
  readonly changes: readonly Change[];
  readonly error: FoundError['error'] | undefined;
}

export type SynthesisResult =
  /** All have the same, least cost. A solution without changes means that the program holds as it is. */
  | {
      readonly kind: 'found';
      readonly solutions: readonly (readonly Change[])[];
      readonly cost: number;
      /** There may be more than these. */
      readonly hasMore: boolean;
      /** What cut the searches short; if empty, the solutions are proved. */
      readonly bounds: readonly Bound[];
    }
  /** An execution that no set of changes prevents. */
  | { readonly kind: 'impossible'; readonly learnt: Learnt }
  /** Stopped before anything was found. */
  | { readonly kind: 'stopped'; readonly bounds: readonly Bound[] };

/** The most cheapest sets to choose from. */
const CHOICE = 64;

export class Synthesis {
  readonly learnt: Learnt[] = [];
  /** Sets of changes that have been checked. */
  checked = 0;
  private readonly candidates: Candidates;
  private readonly models: readonly FixModel[];
  private readonly checker: Checker;
  private readonly limit: number;
  private readonly costs: readonly number[];
  private readonly numbers: ReadonlyMap<Change, number>;
  private readonly solutions: (readonly Change[])[] = [];
  private readonly known = new Set<string>();
  private cost = 0;
  private readonly bounds = new Bounds();
  private stopped: Bound | undefined;
  private hasMore = false;
  private impossible: Learnt | undefined;
  /** The set being checked, under the first of its remaining models. */
  private current: { changes: readonly Change[]; program: Program; models: FixModel[]; search: Search } | undefined;

  /** Finds at most `limit` solutions. */
  constructor(candidates: Candidates, models: readonly FixModel[], checker: Checker, limit: number) {
    this.candidates = candidates;
    this.models = models;
    this.checker = checker;
    this.limit = limit;
    this.costs = candidates.changes.map((change) => change.cost);
    this.numbers = new Map(candidates.changes.map((change, i) => [change, i]));
  }

  advance(steps: number): boolean {
    if (this.stopped !== undefined || this.impossible !== undefined) return true;
    if (this.current === undefined) {
      const changes = this.choose();
      if (changes === undefined) return true;
      this.begin(changes);
    }
    if (this.current!.search.advance(steps)) this.conclude();
    return this.impossible !== undefined;
  }

  /** While helpers work on the search: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.current?.search.wait?.();
  }

  /** Stops; the set being checked counts as valid within the bounds reached. */
  stop(why: Stop): void {
    while (this.current !== undefined) {
      this.current.search.stop(why);
      this.conclude();
    }
    this.stopped = why;
  }

  get progress(): { sets: number; model: FixModel; executions: number } | undefined {
    if (this.current === undefined) return undefined;
    const { models, search } = this.current;
    return { sets: this.checked, model: models[0]!, executions: search.counts.executions };
  }

  get result(): SynthesisResult {
    const { impossible, solutions, cost, hasMore, stopped } = this;
    if (impossible !== undefined) return { kind: 'impossible', learnt: impossible };
    if (solutions.length === 0) return { kind: 'stopped', bounds: [stopped!] };
    return { kind: 'found', solutions, cost, hasMore: hasMore || stopped !== undefined, bounds: this.bounds.list };
  }

  /** The next set to check; `undefined` if enough have been found. */
  private choose(): readonly Change[] | undefined {
    const { candidates, learnt, known, numbers, solutions } = this;
    const constraints = learnt.map(({ changes }) => changes.map((change) => numbers.get(change)!));
    const found = minimumHittingSets(constraints, this.costs, CHOICE, (set) => known.has(set.join()));
    if (found === undefined || (solutions.length > 0 && found.cost > this.cost + 1e-9)) return undefined;
    if (solutions.length >= this.limit) {
      this.hasMore = true;
      return undefined;
    }
    // Prefer fewer changes, then earlier ones: a fence orders everything after it.
    const [set] = found.sets.toSorted((a, b) => a.length - b.length || compare(a, b));
    return set!.map((number) => candidates.changes[number]!);
  }

  private begin(changes: readonly Change[]): void {
    const program = applyChanges(this.candidates, changes);
    const models = [...this.models];
    this.current = { changes, program, models, search: this.checker(program, models[0]!) };
    this.checked++;
  }

  private conclude(): void {
    const { changes, program, models, search } = this.current!;
    const { schedule, error, bounds } = search.outcome;
    if (schedule !== undefined) {
      this.current = undefined;
      const execution: BadExecution = { model: models[0]!, schedule, changes };
      const learnt: Learnt = { execution, changes: constraintOf(this.candidates, execution), error };
      if (learnt.changes.length === 0) this.impossible = learnt;
      this.learnt.push(learnt);
      return;
    }
    this.bounds.add(...bounds);
    models.shift();
    if (models.length > 0) {
      this.current = { changes, program, models, search: this.checker(program, models[0]!) };
      return;
    }
    this.current = undefined;
    this.solutions.push(changes);
    this.known.add(
      changes
        .map((change) => this.numbers.get(change)!)
        .sort((a, b) => a - b)
        .join(),
    );
    this.cost = changes.reduce((sum, { cost }) => sum + cost, 0);
  }
}

/** The constraint that a bad execution implies. */
function constraintOf(candidates: Candidates, execution: BadExecution): readonly Change[] {
  const isGraph = modelNamed(execution.model).isAxiomatic;
  return (isGraph ? new GraphConstraint(candidates, execution) : new Constraint(candidates, execution)).changes;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((number, at) => number !== b[at]);
  return i < 0 ? 0 : a[i]! - b[i]!;
}

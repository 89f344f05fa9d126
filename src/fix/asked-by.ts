/**
 * Which models require each change of a set: those under which the program fails with all the other changes but without
 * this one.
 */
import type { Stop } from '../explore/bound.ts';
import type { FixModel } from '../models/index.ts';
import { applyChanges } from './apply.ts';
import type { Candidates, Change } from './candidates.ts';
import type { Checker, Search } from './synthesis.ts';

export class AskedBy {
  private readonly found = new Map<Change, FixModel[]>();
  private readonly questions: { readonly change: Change; readonly model: FixModel; readonly search: () => Search }[];
  private current: Search | undefined;

  constructor(candidates: Candidates, set: readonly Change[], models: readonly FixModel[], checker: Checker) {
    this.questions = set.flatMap((change) => {
      const others = set.filter((other) => other !== change);
      return models.map((model) => ({
        change,
        model,
        search: () => checker(applyChanges(candidates, others), model),
      }));
    });
  }

  advance(steps: number): boolean {
    const [question] = this.questions;
    if (question === undefined) return true;
    this.current ??= question.search();
    if (!this.current.advance(steps)) return false;
    if (this.current.outcome.schedule !== undefined) this.of(question.change).push(question.model);
    this.current = undefined;
    this.questions.shift();
    return this.questions.length === 0;
  }

  /** Unanswered questions stay unanswered: a model that is not named may still require the change. */
  stop(why: Stop): void {
    this.current?.stop(why);
    this.questions.length = 0;
  }

  of(change: Change): FixModel[] {
    const known = this.found.get(change);
    if (known !== undefined) return known;
    const models: FixModel[] = [];
    this.found.set(change, models);
    return models;
  }
}

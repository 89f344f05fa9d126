/**
 * A model whose share of the time is over before its search is: it waits, and continues in the time that other models
 * leave.
 */
import type { Model } from '../models/index.ts';
import type { ModelResult } from './model-result.ts';
import type { ModelRun, SavedModelRun } from './model-run.ts';

export class PutAside {
  readonly model: Model;
  /** What DPOR found, if the program was being enumerated for further errors. */
  readonly first: ModelResult | undefined;
  /** The search itself, or as data if workers took part, who have other things to do now. */
  private readonly kept: ModelRun | SavedModelRun;
  private readonly since = performance.now();

  private constructor(model: Model, kept: ModelRun | SavedModelRun, first: ModelResult | undefined) {
    this.model = model;
    this.kept = kept;
    this.first = first;
  }

  /** `undefined` if the search can only start over. */
  static of(run: ModelRun, first: ModelResult | undefined): PutAside | undefined {
    if (!run.isTogether) return new PutAside(run.model, run, first);
    const saved = run.save();
    return saved === undefined ? undefined : new PutAside(run.model, saved, first);
  }

  /** The search, which continues. `make`: one that has not begun. */
  resume(make: () => ModelRun): ModelRun {
    const { kept, since } = this;
    if ('advance' in kept) {
      kept.skip(performance.now() - since);
      return kept;
    }
    const run = make();
    run.resume(kept);
    return run;
  }
}

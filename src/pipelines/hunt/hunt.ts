/**
 * The hunt, [RELAXER]: for programs too large to exhaust.
 *
 *   program → SC runs → potential cycles → for each model and cycle: biased trials → confirmed? harmful?
 *
 * It can find errors but proves nothing: without an error the verdict is inconclusive, and says how much was tried.
 */

import { refusalAmong } from '../../explore/bound.ts';
import { SC } from '../../models/sc.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import type { Program } from '../../program/ir.ts';
import { marksOperations, ObservationSet } from '../observations.ts';
import { ModelHunt } from './model-hunt.ts';
import { Prediction } from './prediction.ts';
import type { HuntProgress, HuntResult } from './result.ts';

/** One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time. */
export class HuntRun {
  private readonly program: Program;
  private readonly options: HuntOptions;
  private readonly observations: ObservationSet | undefined;
  private readonly prediction: Prediction;
  private readonly hunts: ModelHunt[] = [];
  private done = false;
  /** Why it was stopped early, if it was. */
  private stopped: string | undefined;

  constructor(program: Program, options: HuntOptions) {
    this.program = program;
    this.options = options;
    this.observations = marksOperations(program) ? new ObservationSet(program) : undefined;
    this.prediction = new Prediction(program, options, this.observations);
  }

  /** Runs executions until about this many steps have been taken; true once the hunt has finished. */
  advance(steps: number): boolean {
    for (let left = steps; left > 0 && !this.done; ) left -= this.runNext();
    return this.done;
  }

  private runNext(): number {
    const { prediction, options } = this;
    if (!prediction.isDone) return prediction.runNext();
    const current = this.hunts.at(-1);
    const isRefused = refusalAmong([...prediction.limits, ...(current?.limits ?? [])]) !== undefined;
    if (isRefused || (prediction.errors.length > 0 && !options.keepGoing)) {
      this.done = true;
      return 0;
    }
    if (current !== undefined && !current.isDone) return current.runNext();
    const model = options.models[this.hunts.length];
    if (model === undefined) this.done = true;
    else this.hunts.push(new ModelHunt(this.program, model, prediction, options, this.observations));
    return 0;
  }

  stop(why: string): void {
    this.stopped = why;
    this.prediction.stop(why);
    this.hunts.at(-1)?.stop(why);
    this.done = true;
    const { prediction, options } = this;
    if (prediction.errors.length > 0 && !options.keepGoing) return;
    // The other models have not been tried, but their possible cycles are known.
    for (const model of options.models.slice(this.hunts.length)) {
      const hunt = new ModelHunt(this.program, model, prediction, options, this.observations);
      hunt.stop(why);
      this.hunts.push(hunt);
    }
  }

  get progress(): HuntProgress {
    const { prediction } = this;
    const current = this.hunts.at(-1);
    return {
      model: current?.model ?? SC.name,
      executions: current?.executions ?? prediction.runs,
      predicted: prediction.cycles.length,
      confirmed: current?.cycles.filter((c) => c.confirmed > 0).length ?? 0,
      harmful: current?.cycles.filter((c) => c.harmful > 0).length ?? 0,
      errors: current?.errors.length ?? prediction.errors.length,
    };
  }

  get results(): readonly HuntResult[] {
    return this.options.models.map((model) => {
      const hunt = this.hunts.find((h) => h.model === model);
      return hunt?.result ?? this.prediction.resultFor(model, this.stopped);
    });
  }
}

/**
 * The hunt, [RELAXER]: for programs too large to exhaust.
 *
 *   program → SC runs → potential cycles → for each model and cycle: biased trials → confirmed? harmful?
 *
 * One pass through this is a round. With `goesOn` there are more, each with other schedules, until the hunt is stopped.
 *
 * A hunt can find errors but proves nothing: without an error the verdict is inconclusive, and says how much was tried.
 */

import type { Stop } from '../../explore/bound.ts';
import type { RelaxedModel } from '../../models/index.ts';
import { SC } from '../../models/sc.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import type { Program } from '../../program/ir.ts';
import { marksOperations, ObservationSet } from '../observations.ts';
import { ModelHunt } from './model-hunt.ts';
import { Prediction } from './prediction.ts';
import type { HuntProgress, HuntResult } from './result.ts';
import { type HuntHelpers, type HuntTogether, NotHuntedTogether } from './together.ts';

/** One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time. */
export class HuntRun {
  private readonly program: Program;
  private readonly options: HuntOptions;
  private readonly observations: ObservationSet | undefined;
  private readonly prediction: Prediction;
  private readonly hunts: ModelHunt[] = [];
  private round = 0;
  private isNewRound = false;
  /** Which of `hunts` ran last. */
  private turn = -1;
  private done = false;
  private ended = 'still running';
  private readonly helpers: HuntHelpers | undefined;
  private readonly started = performance.now();
  private together: HuntTogether | undefined;
  /** Why the hunt is to stop, as soon as workers have handed over what they have. */
  private stopping: Stop | undefined;
  /** Why it was stopped early, if it was. */
  private stopped: Stop | undefined;

  constructor(program: Program, options: HuntOptions, helpers?: HuntHelpers) {
    this.helpers = helpers;
    this.program = program;
    this.options = options;
    this.observations = marksOperations(program) ? new ObservationSet(program) : undefined;
    this.prediction = new Prediction(program, options, this.observations);
  }

  /** Runs executions until about this many steps have been taken; true once the hunt has finished. */
  advance(steps: number): boolean {
    const { together, stopping } = this;
    if (together?.hasFailed === true && stopping === undefined) throw new NotHuntedTogether();
    if (together?.isIdle === false && !together.hasFailed) return false;
    if (stopping !== undefined) this.finishStop(stopping);
    this.share();
    for (let left = steps; left > 0 && !this.done; ) left -= this.runNext();
    return this.done;
  }

  private runNext(): number {
    const { prediction, options, hunts } = this;
    if (!prediction.isDone) return prediction.runNext();
    if (prediction.errors.length > 0 && !options.keepGoing) return this.end('already fails under sc');
    if (hunts.length === 0) for (const model of options.models) hunts.push(this.huntUnder(model));
    else if (this.isNewRound) for (const hunt of hunts) hunt.beginRound(this.round);
    this.isNewRound = false;
    if (this.together !== undefined && hunts.some(({ isDone }) => !isDone)) return this.handOut(this.together);
    // Models take turns, so that each gets its share if time runs out.
    for (let k = 0; k < hunts.length; k++) {
      this.turn = (this.turn + 1) % hunts.length;
      if (!hunts[this.turn]!.isDone) return hunts[this.turn]!.runNext();
    }
    return this.endRound();
  }

  /** Lets workers make the trials, if the hunt has taken long enough. */
  private share(): void {
    const { helpers, hunts, program, options, prediction } = this;
    if (helpers === undefined || this.together !== undefined || this.done) return;
    if (performance.now() - this.started < helpers.after * 1000) return;
    // Workers do not know the results of serial executions.
    if (this.observations !== undefined || !prediction.isDone || hunts.length === 0) return;
    if (!prediction.areFixed || hunts.some(({ areFixed }) => !areFixed)) return;
    const { isLate: _, ...plain } = options;
    this.together = helpers.begin({ program, options: plain });
  }

  /** Hands out a cycle of each model in turn. */
  private handOut(together: HuntTogether): number {
    const lists = this.hunts.map(({ jobs }) => jobs);
    const longest = Math.max(...lists.map(({ length }) => length));
    const jobs = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
    together.do(jobs, ({ model }, answer) => this.hunts.find((hunt) => hunt.model === model)!.take(answer));
    return Number.POSITIVE_INFINITY;
  }

  private huntUnder(model: RelaxedModel): ModelHunt {
    return new ModelHunt(this.program, model, this.prediction, this.options, this.observations);
  }

  private endRound(): number {
    const { options, prediction, hunts } = this;
    if (options.goesOn !== true) return this.end('every trial made');
    if (hunts.some(({ errors }) => errors.length > 0) && !options.keepGoing) return this.end('an error found');
    if (!prediction.hasThreads) return this.end('one thread only, so nothing can be found');
    this.round++;
    this.isNewRound = true;
    prediction.beginRound(this.round);
    return 0;
  }

  private end(why: string): number {
    this.ended = why;
    this.done = true;
    this.together?.end();
    return 0;
  }

  /** Workers may have to hand over their results first: call `advance` until it returns true. */
  stop(why: Stop): void {
    if (this.together?.isIdle !== false) return this.finishStop(why);
    this.stopping ??= why;
    this.together.stopJobs();
  }

  /** While workers make trials: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.together?.isIdle === false ? this.together.wait() : undefined;
  }

  private finishStop(why: Stop): void {
    const { prediction, options, hunts } = this;
    this.stopped = why;
    prediction.stop(why);
    for (const hunt of hunts) hunt.stop(why);
    this.end(why.why);
    if (hunts.length > 0 || (prediction.errors.length > 0 && !options.keepGoing)) return;
    // Nothing has been tried, but report the possible cycles.
    for (const model of options.models) {
      const hunt = this.huntUnder(model);
      hunt.stop(why);
      hunts.push(hunt);
    }
  }

  get progress(): HuntProgress {
    const { prediction } = this;
    const current = this.hunts[this.turn];
    return {
      model: current?.model ?? SC.name,
      executions: current?.executions ?? prediction.runs,
      predicted: prediction.cycles.length,
      confirmed: current?.cycles.filter((c) => c.confirmed > 0).length ?? 0,
      harmful: current?.cycles.filter((c) => c.harmful > 0).length ?? 0,
      errors: this.hunts.reduce((sum, { errors }) => sum + errors.length, prediction.errors.length),
    };
  }

  get results(): readonly HuntResult[] {
    return this.options.models.map((model) => {
      const hunt = this.hunts.find((h) => h.model === model);
      return hunt?.result(this.ended) ?? this.prediction.resultFor(model, this.stopped, this.ended);
    });
  }
}

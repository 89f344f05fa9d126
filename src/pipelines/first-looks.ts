/**
 * No model starves: while one model is searched, each of those that wait for their turn gets a second, and every model
 * a handful of random executions. So an error that one model shows at once is known within seconds, even if the search
 * of another one never ends.
 *
 * A look at a model is the beginning of its search, which continues when its turn comes: looks change neither what a
 * search finds nor in which order. Random executions count only if the search of their model is stopped: until then,
 * which error it will report is not known.
 */
import { INTERRUPTED } from '../explore/bound.ts';
import type { FoundError } from '../explore/explore.ts';
import { type Model, modelNamed } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import { type ModelResult, ModelRun } from './model-run.ts';
import { isExact } from './strategies.ts';

/** An error that was found before the turn of its model came, or outside of its search. */
export interface EarlyError {
  readonly model: Model;
  readonly found: FoundError;
}

/** When looks begin, in seconds; the part of the time that they take; how long each is. */
const BEGIN = 1;
const PART = 1 / 5;
const LONGEST = 1;
/** Random executions of a model: so many in any time that a look may take, and more in so many seconds. */
const FEW_RUNS = 10;
const RUNS = 100;
const RUNS_LONGEST = 0.1;
const RUN_STEPS = 500;

/** The times above, for tests. */
export interface LookTimes {
  readonly begin?: number;
  readonly part?: number;
  readonly longest?: number;
}

interface Look {
  readonly run: ModelRun;
  /** Seconds that it has taken. */
  spent: number;
  /** Whether the search has come to its end. */
  isOver: boolean;
  /** When it last ran. */
  left: number;
}

export class FirstLooks {
  private readonly program: Program;
  private readonly options: CheckOptions;
  private readonly newRun: (model: Model) => ModelRun;
  private readonly times: Required<LookTimes>;
  private readonly looks = new Map<Model, Look>();
  /** Errors of random executions. */
  private readonly sampled = new Map<Model, readonly FoundError[]>();
  /** Models whose look ended by a fault. */
  private readonly faulty = new Set<Model>();
  private readonly isOn: boolean;
  private readonly started = performance.now();
  /** Seconds that all looks have taken. */
  private spent = 0;

  /** `newRun` begins the search of a model. */
  constructor(program: Program, options: CheckOptions, newRun: (model: Model) => ModelRun, times: LookTimes = {}) {
    this.program = program;
    this.options = options;
    this.newRun = newRun;
    this.times = { begin: BEGIN, part: PART, longest: LONGEST, ...times };
    this.isOn = isExact(options.strategy) && options.observations !== true;
  }

  /**
   * Takes a look, if it is time for one and one is left to take: at the model that is being searched only random
   * executions, at those that wait also their searches. Returns the milliseconds that it took, 0 if there was none.
   */
  advance(current: Model, waiting: readonly Model[], steps: number): number {
    if (!this.isOn) return 0;
    const now = performance.now();
    const elapsed = (now - this.started) / 1000;
    const { begin, part } = this.times;
    if (elapsed < begin || this.spent >= part * elapsed) return 0;
    const unsampled = [current, ...waiting].find((model) => !this.sampled.has(model));
    if (unsampled !== undefined) this.sample(unsampled);
    else if (!this.lookAt(waiting, steps)) return 0;
    const took = performance.now() - now;
    this.spent += took / 1000;
    return took;
  }

  private sample(model: Model): void {
    this.sampled.set(model, []);
    // Executions under an axiomatic model are graphs, which are not sampled.
    if (modelNamed(model).isAxiomatic || !this.options.models.includes(model)) return;
    const { program, options } = this;
    const sampling: CheckOptions = {
      ...options,
      strategy: 'pos',
      maxExecutions: RUNS,
      keepGoing: false,
      robust: false,
    };
    this.withoutFault(() => {
      const run = new ModelRun(program, model, sampling);
      while (!run.advance(RUN_STEPS)) {
        const longest = run.counts.executions < FEW_RUNS ? this.times.longest : RUNS_LONGEST;
        if (run.elapsed > longest) run.stop(INTERRUPTED);
      }
      this.sampled.set(model, run.result.errors);
    });
  }

  /** What goes wrong in a look will go wrong again when the turn of its model comes, and is reported then. */
  private withoutFault(work: () => void): boolean {
    try {
      work();
      return true;
    } catch {
      return false;
    }
  }

  /** Continues the shortest look. False if all are over. */
  private lookAt(waiting: readonly Model[], steps: number): boolean {
    let model: Model | undefined;
    let least = this.times.longest;
    for (const one of waiting) {
      const look = this.looks.get(one);
      if (look?.isOver === true || (look?.spent ?? 0) >= least || this.faulty.has(one)) continue;
      model = one;
      least = look?.spent ?? 0;
    }
    if (model === undefined) return false;
    const chosen = model;
    if (this.withoutFault(() => this.advanceLook(chosen, steps))) return true;
    this.looks.delete(chosen);
    this.faulty.add(chosen);
    return true;
  }

  private advanceLook(model: Model, steps: number): void {
    const started = performance.now();
    const look = this.looks.get(model) ?? { run: this.newRun(model), spent: 0, isOver: false, left: started };
    this.looks.set(model, look);
    look.run.skip(started - look.left);
    look.isOver = look.run.advance(steps);
    look.left = performance.now();
    look.spent += (look.left - started) / 1000;
  }

  /** Whether the search of the model has come to its end. */
  isOver(model: Model): boolean {
    return this.looks.get(model)?.isOver === true;
  }

  /** The search of the model as far as it has come. Continue it, or drop it. */
  take(model: Model): ModelRun | undefined {
    const look = this.looks.get(model);
    if (look === undefined) return undefined;
    this.looks.delete(model);
    look.run.skip(performance.now() - look.left);
    return look.run;
  }

  /** Adds the errors of random executions to a result without errors whose search was stopped. */
  withSampled(result: ModelResult): ModelResult {
    const [found] = this.sampled.get(result.model) ?? [];
    const isStopped = result.boundedBy.some(({ kind }) => kind === 'stopped');
    if (found === undefined || !isStopped || result.errors.length > 0) return result;
    return { ...result, verdict: { kind: 'violation' }, errors: [found] };
  }

  /** What has been found, an error for each model at most. */
  get errors(): readonly EarlyError[] {
    const errors = new Map<Model, FoundError>();
    for (const [model, [found]] of this.sampled) if (found !== undefined) errors.set(model, found);
    for (const [model, { run }] of this.looks) {
      const [found] = run.errors;
      if (found !== undefined && !errors.has(model)) errors.set(model, found);
    }
    return [...errors].map(([model, found]) => ({ model, found }));
  }
}

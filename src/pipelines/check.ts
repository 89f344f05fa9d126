/**
 * The pipeline of `check`: a program and options → results per memory model.
 *
 *   program → for each model: machine → strategy → errors, counts, bounds → verdict
 *                  └ SC: → monitors, race freedom → models that need not be explored
 *
 * SC comes first. A program that fails there fails under every model, since each of them has all SC executions.
 */

import { type Stop, stoppedFor } from '../explore/bound.ts';
import { canFix, hasMonitors, isLanguage, type Model, modelNamed, type StoreBufferModel } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import { causalMonitoring } from '../monitor/monitors.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import { withAdvice } from './advice.ts';
import type { ViolationResult } from './alarms.ts';
import { enumerating, hidesErrors, withAllErrors } from './all-errors.ts';
import { type EarlyError, FirstLooks, type LookTimes } from './first-looks.ts';
import type { Helpers } from './helpers.ts';
import { type CheckProgress, type ModelResult, ModelRun, type SavedModelRun, type Watched } from './model-run.ts';
import type { ModelsElsewhere } from './models-elsewhere.ts';
import { ObservationSet } from './observations.ts';
import { PutAside } from './put-aside.ts';
import { RaceFreedom } from './race-freedom.ts';
import { Shares } from './shares.ts';
import { hasMembarrier, hasSections, isDpor, mayEndEarly, mayOvertakeInitialisation } from './strategies.ts';
import { mayFollow, supersetAmong, withSubsets } from './subsets.ts';

export interface SavedCheck {
  readonly finished: readonly ModelResult[];
  readonly pending: readonly Model[];
  readonly current?: SavedModelRun;
  /** Searches of pending models that other threads began. */
  readonly begun?: readonly SavedModelRun[];
  readonly sc?: ModelResult;
  readonly isFree: boolean;
  readonly alarms: readonly ViolationResult[];
  readonly open: readonly Model[];
}

/**
 * One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time.
 *
 * With monitors, SC is explored first, requested or not; then only the models for which an alarm is raised.
 */
export class CheckRun {
  private readonly program: Program;
  private readonly options: CheckOptions;
  private readonly finished: ModelResult[] = [];
  private readonly pending: Model[];
  private readonly observations: ObservationSet | undefined;
  private current: ModelRun | undefined;
  private isFree = false;
  /** What DPOR found under the current model, if that is now being enumerated for further errors. */
  private first: ModelResult | undefined;
  /** The result of SC, and what the monitors found there. */
  private sc: ModelResult | undefined;
  private alarms: readonly ViolationResult[] = [];
  /** Whether SC is explored with monitors. */
  private readonly isMonitored: boolean = false;
  /** Tells whether the model of the language has only SC executions. */
  private readonly freedom: RaceFreedom | undefined;
  /** Models for which the monitors cannot give a full answer. */
  private open: readonly Model[] = [];

  private readonly helpers: Helpers | undefined;
  /** Models that other threads are searching now, and searches that others had begun before this check was saved. */
  private elsewhere: ModelsElsewhere | undefined;
  private readonly begun = new Map<Model, SavedModelRun>();
  private readonly shares: Shares | undefined;
  /** The model whose share of the time has begun. */
  private timed: Model | undefined;
  /** Models whose share was over before they were done. */
  private readonly aside: PutAside[] = [];
  private readonly looks: FirstLooks;

  /**
   * `timeout`: seconds that the models share. The caller stops the check when they are over. `times`: when models that
   * wait for their turn are looked at.
   */
  constructor(program: Program, options: CheckOptions, helpers?: Helpers, timeout?: number, times?: LookTimes) {
    this.program = program;
    this.looks = new FirstLooks(program, options, (model) => this.runOf(model), times);
    this.helpers = helpers;
    this.shares = timeout === undefined ? undefined : new Shares(timeout);
    this.options = options;
    this.pending = [...options.models];
    this.observations = options.observations === true ? new ObservationSet(program) : undefined;
    const isAsked = options.models.some((model) => modelNamed(model).language?.isScWithoutRaces === true);
    this.freedom = isAsked && options.monitors === true && canMonitor(options, program) ? new RaceFreedom() : undefined;
    if (options.monitors !== true || !canMonitor(options, program) || this.monitored.length === 0) return;
    const run = this.withMonitors();
    // Monitors must see every read that a thread could make, in every order: docs/decisions/0024-idle-reads-wait.md,
    // docs/decisions/0027-commuting-operations.md.
    this.isMonitored = !run.mayWait && !run.mayCommute;
    if (this.isMonitored) this.current = run;
  }

  /** SC, watched for these models. */
  private withMonitors(): ModelRun {
    return this.runOf(SC.name, { ...causalMonitoring(this.monitored), firstOnly: true });
  }

  private get monitored(): readonly StoreBufferModel[] {
    return this.options.models.filter((model) => canBeMonitored(model, this.program));
  }

  private runOf(model: Model, watched?: Watched, options: CheckOptions = this.options): ModelRun {
    const { observations, freedom } = this;
    const helpers = this.dividing(model);
    const parts = {
      ...(helpers === undefined ? {} : { helpers }),
      ...(freedom === undefined || model !== SC.name ? {} : { freedom }),
      ...(observations === undefined ? {} : { observations }),
      ...(watched === undefined ? {} : { watched }),
    };
    return new ModelRun(this.program, model, options, parts);
  }

  /**
   * A search is divided only when its turn has come, and if no model is being searched elsewhere: otherwise the threads
   * are busy.
   */
  private dividing(model: Model): Helpers | undefined {
    const { helpers } = this;
    if (helpers === undefined) return helpers;
    const after = (): number =>
      this.elsewhere?.isBusy === true || this.current?.model !== model ? Number.POSITIVE_INFINITY : helpers.after;
    return Object.defineProperty({ ...helpers }, 'after', { get: after });
  }

  advance(steps: number): boolean {
    try {
      this.collect();
      if ((this.current !== undefined || this.begin()) && !this.look(this.current!, steps))
        this.advanceCurrent(this.current!, steps);
    } catch (error) {
      this.endElsewhere();
      throw error;
    }
    const isDone = this.current === undefined && this.pending.length === 0 && this.aside.length === 0;
    if (isDone) this.endElsewhere();
    return isDone;
  }

  /**
   * Begins with the next model. False if it need not be explored, or if all that are left are being searched elsewhere.
   */
  private begin(): boolean {
    const { pending, elsewhere } = this;
    const model = pending.find((one) => elsewhere?.isRunning(one) !== true);
    if (model === undefined) {
      if (this.aside.length > 0) return this.goBack();
      elsewhere?.callBack();
      return false;
    }
    pending.splice(pending.indexOf(model), 1);
    const known = this.withoutExploring(model);
    if (known !== undefined) {
      this.finished.push(known);
      return false;
    }
    this.current = this.begunRunOf(model);
    elsewhere?.claim(model);
    return true;
  }

  /** Continues with a model that was put aside, unless others have decided it. False if there is nothing to do for it. */
  private goBack(): boolean {
    const { aside, finished } = this;
    // The verdict of SC may follow from others: then it comes last, and need not go on.
    const followsOthers = supersetAmong(finished, this.options, this.program) !== undefined;
    const place = followsOthers ? aside.findIndex(({ model }) => model !== SC.name) : 0;
    const next = aside.splice(Math.max(0, place), 1)[0]!;
    const known = this.withoutExploring(next.model);
    if (known !== undefined) {
      finished.push(known);
      return false;
    }
    const isWatched = next.model === SC.name && this.isMonitored;
    this.current = next.resume(() => (isWatched ? this.withMonitors() : this.runOf(next.model)));
    this.first = next.first;
    if (next.model !== SC.name || !followsOthers || !mayFollow(this.current.result)) return true;
    this.stopCurrent(this.shares!.boundAfter(this.current.elapsed));
    return false;
  }

  private putAside(current: ModelRun): void {
    const put = this.isForMonitors ? undefined : PutAside.of(current, this.first);
    if (put === undefined) return this.stopCurrent(this.shares!.bound);
    if (current.isTogether) current.stop(this.shares!.bound);
    const place = this.pending.indexOf(current.model);
    if (place >= 0) this.pending.splice(place, 1);
    this.aside.push(put);
    this.current = undefined;
    this.first = undefined;
    this.timed = undefined;
  }

  /** The search of a model, as far as it has come. */
  private begunRunOf(model: Model): ModelRun {
    const saved = this.begunElsewhere(model);
    const looked = this.looks.take(model);
    if (saved === undefined) return looked ?? this.runOf(model);
    const run = this.runOf(model);
    run.resume(saved);
    return run;
  }

  /** Whether a look at another model was taken instead of a piece of this search. */
  private look(current: ModelRun, steps: number): boolean {
    const { elsewhere } = this;
    if (this.first !== undefined) return false;
    const waiting = this.pending.filter(
      (model) =>
        model !== current.model && elsewhere?.isRunning(model) !== true && this.begunElsewhere(model) === undefined,
    );
    const took = this.looks.advance(current.model, waiting, steps);
    current.skip(took);
    return took > 0;
  }

  private begunElsewhere(model: Model): SavedModelRun | undefined {
    return this.elsewhere?.saved(model) ?? this.begun.get(model);
  }

  private advanceCurrent(current: ModelRun, steps: number): void {
    this.beginShare(current.model);
    if (current.advance(steps)) this.finish();
    else if (this.isShareUsedUp(current.model)) this.putAside(current);
    // All models have alarms, and SC itself was not requested.
    else if (this.isForMonitors && current.alarms!.isOver) this.stopCurrent(stoppedFor('alarms'));
    else this.spread(current);
  }

  /** Lets other threads search the next models, if the search here is not divided among them. */
  private spread(current: ModelRun): void {
    const { helpers, options, program, elsewhere } = this;
    if (helpers?.beginModels === undefined || elsewhere !== undefined || current.isTogether) return;
    if (this.first !== undefined || options.keepGoing || options.observations === true) return;
    // Wait for SC: an error there would decide the others.
    if (current.model !== SC.name && this.pending.includes(SC.name)) return;
    if (current.elapsed < helpers.after) return;
    const models = this.pending.filter(
      (model) => model !== SC.name && this.needsNoWait(model, current) && !this.looks.isOver(model),
    );
    if (models.length === 0) return;
    const jobs = models.map((model) => {
      const saved = this.begun.get(model) ?? this.looks.take(model)?.save();
      return saved === undefined ? { model } : { model, saved };
    });
    this.elsewhere = helpers.beginModels({ program, options }, jobs);
  }

  /** Whether the model must be explored unless SC has an error. */
  private needsNoWait(model: Model, current: ModelRun): boolean {
    if (current.model !== SC.name) return true;
    if (this.isMonitored && canBeMonitored(model, this.program)) return false;
    const mayBeFree = this.freedom?.holds === true && !current.mayWait && !current.mayCommute;
    return !(modelNamed(model).language?.isScWithoutRaces === true && mayBeFree);
  }

  /** Takes the results of other threads, once SC is done: they count only if SC has no error. */
  private collect(): void {
    const { elsewhere, pending } = this;
    if (elsewhere === undefined || this.current?.model === SC.name) return;
    for (const model of [...pending]) {
      const result = elsewhere.result(model);
      if (result === undefined) continue;
      pending.splice(pending.indexOf(model), 1);
      this.conclude(result);
    }
  }

  private endElsewhere(): void {
    this.elsewhere?.end();
    this.elsewhere = undefined;
  }

  private othersThan(model: Model): number {
    return this.pending.filter((other) => other !== model).length + this.aside.length;
  }

  private beginShare(model: Model): void {
    if (this.timed === model) return;
    this.timed = model;
    this.shares?.begin(this.othersThan(model));
  }

  private isShareUsedUp(model: Model): boolean {
    return this.shares?.isUsedUp === true && this.othersThan(model) > 0;
  }

  /** The result of a model, if it follows from SC and its monitors. */
  private withoutExploring(model: Model): ModelResult | undefined {
    const { sc, options } = this;
    if (sc === undefined || model === SC.name) return undefined;
    if (sc.verdict.kind === 'violation' && !options.keepGoing && !this.mayGoOn(sc, model)) {
      return { ...sc, model, how: 'sc', seconds: 0, robust: null };
    }
    const isMonitored = this.isMonitored && canBeMonitored(model, this.program);
    const isOpen = this.open.includes(model) || this.alarms.some((a) => a.model === model);
    const isFree = modelNamed(model).language?.isScWithoutRaces === true && this.isFree;
    const isRobust = sc.verdict.kind === 'verified' && ((isMonitored && !isOpen) || isFree);
    if (!isRobust) return undefined;
    return {
      ...sc,
      model,
      how: 'robust',
      seconds: 0,
      robust: true,
      ...(options.robust === true ? { beyondSc: 0 } : {}),
    };
  }

  /**
   * Whether the model may not have the error that SC has. Under SC all threads wait for one that is stuck in an atomic
   * section; in the model of the language only other sections do, and another thread may unblock it.
   */
  private mayGoOn({ errors }: ModelResult, model: Model): boolean {
    if (!modelNamed(model).isAxiomatic || !hasSections(this.program)) return false;
    return errors.some(({ error }) => error.kind === 'deadlock' || error.kind === 'liveness');
  }

  /** Whether SC is being explored without having been requested. */
  private get isForMonitors(): boolean {
    return this.current?.model === SC.name && !this.isRequested(SC.name);
  }

  private isRequested(model: Model): boolean {
    return this.options.models.includes(model);
  }

  stop(why: Stop): void {
    if (this.current !== undefined) this.stopCurrent(why);
    this.collect();
    while (this.aside.length > 0) {
      if (!this.goBack()) continue;
      const bound = why.timeout === undefined ? why : this.shares!.boundAfter(this.current!.elapsed);
      this.stopCurrent(bound);
    }
    for (const model of this.pending.splice(0)) {
      const known = this.withoutExploring(model);
      if (known === undefined) this.conclude(this.stopped(model, why));
      else this.finished.push(known);
    }
    this.endElsewhere();
  }

  /** What is known of a model whose turn has not come. */
  private stopped(model: Model, why: Stop): ModelResult {
    const isOver = this.looks.isOver(model);
    const run = this.begunRunOf(model);
    if (!isOver) run.stop(why);
    const { result } = run;
    if (!hidesErrors(result, this.options)) return this.looks.withSampled(result);
    const all = this.runOf(model, undefined, enumerating(this.options));
    all.stop(why);
    return withAllErrors(result, all.result);
  }

  private stopCurrent(why: Stop): void {
    this.current!.stop(why);
    this.finish(this.looks.withSampled(this.current!.result));
  }

  private finish(found = this.current!.result): void {
    const { model, alarms } = this.current!;
    // Every read that a thread could make must have been seen, in every order: docs/decisions/0024-idle-reads-wait.md,
    // docs/decisions/0027-commuting-operations.md.
    const isExact = !this.current!.mayWait && !this.current!.mayCommute;
    if (model === SC.name) this.isFree = this.freedom?.holds === true && isExact;
    if (alarms !== undefined) {
      this.alarms = alarms.found;
      this.open = [...alarms.mixed.keys()];
    }
    if (this.first === undefined && this.isRequested(model) && hidesErrors(found, this.options)) {
      this.first = found;
      this.current = this.runOf(model, undefined, enumerating(this.options));
      return;
    }
    const all = this.first === undefined ? found : withAllErrors(this.first, found);
    this.first = undefined;
    this.current = undefined;
    this.conclude(all);
  }

  private conclude(found: ModelResult): void {
    const { pending } = this;
    const result = this.advised(found);
    if (found.model !== SC.name) {
      this.finished.push(this.withAlarm(result));
      return;
    }
    this.sc = result;
    const place = pending.indexOf(SC.name);
    if (place >= 0) pending.splice(place, 1);
    if (this.isRequested(SC.name)) this.finished.push(result);
    // If SC was put aside, others went before it.
    for (const [i, { model, verdict }] of this.finished.entries()) {
      if (verdict.kind === 'inconclusive') this.finished[i] = this.withoutExploring(model) ?? this.finished[i]!;
    }
    if (pending.some((model) => this.withoutExploring(model) !== undefined)) this.endElsewhere();
  }

  /** Under the model of the language, errors say which memory orders would prevent them. */
  private advised(result: ModelResult): ModelResult {
    const { model, errors } = result;
    if (errors.length === 0 || this.options.advice === false || !isLanguage(model) || !canFix(model)) return result;
    return { ...result, errors: withAdvice(this.program, model, errors, this.options) };
  }

  /** Adds what the monitors know about robustness, if the exploration did not determine it. */
  private withAlarm(result: ModelResult): ModelResult {
    const cycle = this.alarms.find((a) => a.model === result.model)?.cycle;
    return cycle === undefined || result.robust !== null ? result : { ...result, robust: false, cycle };
  }

  get results(): readonly ModelResult[] {
    const { options, program } = this;
    const { models } = options;
    const sorted = this.finished.toSorted((a, b) => models.indexOf(a.model) - models.indexOf(b.model));
    return withSubsets(sorted, options, program);
  }

  /** What the monitors found. */
  get violations(): readonly ViolationResult[] {
    return this.alarms;
  }

  /** What has been found and what is left to do, as plain data. A search that cannot be saved starts over. */
  save(): SavedCheck {
    const { current, first, sc, isFree, alarms, open } = this;
    const run = first === undefined ? current?.save() : undefined;
    const isAgain = run === undefined && current !== undefined && !this.pending.includes(current.model);
    const begun = this.pending.flatMap((model) => this.begunElsewhere(model) ?? []);
    return {
      finished: this.finished,
      pending: [...(isAgain && this.isRequested(current.model) ? [current.model] : []), ...this.pending],
      ...(run === undefined ? {} : { current: run }),
      ...(begun.length === 0 ? {} : { begun }),
      ...(sc === undefined ? {} : { sc }),
      isFree,
      alarms,
      open,
    };
  }

  /** Resumes a saved check of the same program and options. */
  resume({ finished, pending, current, begun = [], sc, isFree, alarms, open }: SavedCheck): void {
    for (const run of begun) this.begun.set(run.model, run);
    this.finished.push(...finished);
    this.pending.splice(0, this.pending.length, ...pending);
    this.sc = sc;
    this.isFree = isFree;
    this.alarms = alarms;
    this.open = open;
    // The constructor began with SC and monitors, which the saved check may have finished.
    if (sc !== undefined || (current !== undefined && current.model !== SC.name)) this.current = undefined;
    if (current === undefined) return;
    this.current ??= this.runOf(current.model);
    this.current.resume(current);
  }

  /** While others work: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.current === undefined ? this.elsewhere?.wait() : this.current.wait();
  }

  /** Errors of models whose turn has not come, and of random executions. */
  get early(): readonly EarlyError[] {
    return this.looks.errors;
  }

  /** What is running now, for progress messages. */
  get progress(): CheckProgress | undefined {
    return this.current === undefined ? this.elsewhere?.progress : this.current.progress;
  }
}

/** Whether a monitor for the model sees all that its executions can do. */
function canBeMonitored(model: Model, program: Program): model is StoreBufferModel {
  return hasMonitors(model) && !mayOvertakeInitialisation(model, program);
}

/**
 * Monitors prove robustness only over all traces, and not for programs with atomic sections, since a trace does not
 * include that a section excludes other threads.
 */
function canMonitor(options: CheckOptions, program: Program): boolean {
  return isDpor(options.strategy) && !mayEndEarly(options, program) && !hasMembarrier(program);
}

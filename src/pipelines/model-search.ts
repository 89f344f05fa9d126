/** The search of a program under one model: machine → strategy → errors, counts, bounds → verdict. */
import { type Bound, printBound } from '../explore/bound.ts';
import type { Divisible } from '../explore/dpor/divisible.ts';
import type { Job, Proposals } from '../explore/dpor/job.ts';
import { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import { TraceCount } from '../explore/dpor/machine/trace-count.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import { ALL_SHORTCUTS } from '../explore/dpor/shortcuts.ts';
import { Exploration, type ExplorationResult, type FoundError } from '../explore/explore.ts';
import { GraphSearch } from '../explore/graph/search.ts';
import { demandOrder, withMergedArrivals } from '../explore/merged-arrivals.ts';
import type { NumberedRuns } from '../explore/numbered-runs.ts';
import { Pct } from '../explore/pct.ts';
import { Pos } from '../explore/pos.ts';
import { Random } from '../explore/random.ts';
import type { Strategy } from '../explore/strategy.ts';
import { type SavedTally, Tally } from '../explore/tally.ts';
import { Waker } from '../explore/wake.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { Machine, type Outcome } from '../machine/machine.ts';
import { type Model, modelNamed } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { StrategyName } from '../options/search.ts';
import type { Program } from '../program/ir.ts';
import { MAX_ORDERED_EVENTS } from '../trace/bit-rows.ts';
import type { Alarms } from './alarms.ts';
import { DivisionTime } from './division-time.ts';
import { Forecast } from './forecast.ts';
import type { Helpers } from './helpers.ts';
import type { ModelRunParts, Watched } from './model-parts.ts';
import type { CheckProgress, ModelResult } from './model-result.ts';
import { marksOperations, type ObservationSet, unendedOperation } from './observations.ts';
import { judgeRaces } from './races.ts';
import { verdictWithoutViolation } from './result.ts';
import { boundsOf } from './search-bounds.ts';
import { watchersOf } from './search-watchers.ts';
import { addRuns, NotTogether, type RunsSearch, type RunsTogether } from './shared-runs.ts';
import { sharedWork } from './shared-work.ts';
import { Slice } from './slice.ts';
import { haveSmallParts, partsByOrders } from './small-parts.ts';
import {
  defaultMaxSteps,
  ignoredKinds,
  isRandom,
  machineOptions,
  makeStrategy,
  mergesOrders,
  WAKES,
  type WhyEnumerated,
  whyEnumerated,
} from './strategies.ts';
import { addsUp, isOfTrace, type PartResult, type SavedSearch, type SharedWork, type Together } from './together.ts';
import type { Watchers } from './watchers.ts';

const NOTHING: SavedTally = new Tally().save();

/**
 * A program under one model. Throws if the search must start over: `MixedWait` if threads must read while they wait,
 * `NestedWait` if they must execute exchanges that fail, `CommutingWait` if operations that commute must be ordered,
 * `OrderOfArrivals` if arrivals at a barrier must be ordered, `TooManyThreads` if there must be room for more threads,
 * `NotTogether` if it must run without workers.
 */
export class ModelSearch {
  readonly model: Model;
  private readonly program: Program;
  private readonly machine: Machine;
  private readonly newMachine: () => Machine;
  private readonly options: CheckOptions;
  private started = performance.now();
  private exploration: Exploration;
  private readonly searched: Strategy;
  private readonly watchers: Watchers;
  /** Whether threads that sleep in a loop are woken, because the search does not try every order. */
  private readonly wakes: boolean;
  private readonly strategy: StrategyName;
  private readonly enumerated: WhyEnumerated | undefined;
  private readonly observations: ObservationSet | undefined;
  /** Whether the program marks operations. */
  private readonly marks: boolean;
  private seconds = 0;
  /** The search, if it can report its progress; and if workers can continue it. */
  private readonly dpor: MachineDpor | undefined;
  private readonly divisible: Divisible | undefined;
  private readonly pct: Pct | undefined;
  private readonly numbered: NumberedRuns | undefined;
  private readonly isEnough: Watched['isEnough'];
  private readonly forecast: Forecast;
  private readonly parts: ModelRunParts;
  private readonly work: SharedWork;
  /**
   * Whether the search can be divided, and when; the search by workers; and how many alarms there were when that
   * failed.
   */
  private readonly isDivisible: boolean;
  private readonly divisionTime: DivisionTime | undefined;
  private together: Together | undefined;
  private runsTogether: RunsTogether | undefined;
  /** What was left when the search was divided: it continues there alone if the workers fail. */
  private leftAlone: readonly SearchLevel[] = [];
  private failedWith = -1;
  /** Errors found by workers whose search was dropped. */
  private foundTogether: readonly FoundError[] = [];
  private hasWaited = false;
  private readonly slice = new Slice();

  /** Monitors are for SC. */
  constructor(program: Program, model: Model, options: CheckOptions, parts: ModelRunParts = {}) {
    this.observations = parts.observations;
    this.marks = marksOperations(program);
    this.model = model;
    this.enumerated = whyEnumerated(options, program, model);
    const { isAxiomatic } = modelNamed(model);
    this.strategy = isAxiomatic ? 'graph' : this.enumerated === undefined ? options.strategy : 'enumerate';
    this.wakes = WAKES.includes(this.strategy);
    const commuting = parts.commuting !== false && mergesOrders(options, this.strategy);
    this.program = program;
    const searched = commuting && parts.merging !== false ? withMergedArrivals(program) : program;
    const made = machineOptions(options, this.strategy);
    this.newMachine = () =>
      new Machine(searched, model, options.limits ?? {}, parts.nested === false ? { ...made, nested: false } : made);
    this.machine = this.newMachine();
    this.forecast = new Forecast(
      this.strategy === 'optimal'
        ? () => new TraceCount(this.newMachine(), { ...ALL_SHORTCUTS, commuting }, MAX_ORDERED_EVENTS)
        : undefined,
    );
    this.options = options;
    const strategy = makeStrategy({ ...options, strategy: this.strategy }, this.machine, commuting);
    this.dpor = strategy instanceof MachineDpor ? strategy : undefined;
    const isGraphs = strategy instanceof GraphSearch && !options.keepGoing;
    this.divisible = isGraphs ? strategy : this.dpor;
    this.pct = strategy instanceof Pct ? strategy : undefined;
    this.numbered = this.pct ?? (strategy instanceof Random || strategy instanceof Pos ? strategy : undefined);
    const { dpor, machine, strategy: name } = this;
    const elapsed = (): number => this.elapsed;
    this.watchers = watchersOf({ program, machine, name, strategy, dpor, options, commuting, elapsed }, parts);
    this.isEnough = parts.watched?.isEnough;
    this.parts = parts;
    this.work = sharedWork(program, model, options, parts);
    if (parts.helpers !== undefined) this.divisionTime = new DivisionTime(parts.helpers, this.forecast);
    this.isDivisible =
      (((this.strategy === 'optimal' || isGraphs) && options.maxExecutions === undefined) ||
        (this.numbered !== undefined && parts.helpers?.beginRuns !== undefined)) &&
      options.robust !== true &&
      options.observations !== true &&
      !this.marks;
    this.searched = strategy;
    this.exploration = this.explore(strategy);
  }

  /** Where races are errors of the model, the search itself finds them. */
  private get isGraph(): boolean {
    return this.strategy === 'graph';
  }

  private explore(strategy: Strategy): Exploration {
    const { options } = this;
    const maxDepth = options.maxSteps ?? defaultMaxSteps(this.strategy);
    return new Exploration(this.machine, strategy, {
      keepGoing: options.keepGoing,
      ignored: ignoredKinds(options),
      followers: [
        ...(this.wakes ? [new Waker(this.machine)] : []),
        ...(this.alarms === undefined ? [] : [this.alarms]),
        ...(options.races || this.isGraph ? [] : [this.watchers.warnings.follow(strategy)]),
      ],
      ...(isRandom(this.strategy) || options.maxExecutions === undefined
        ? {}
        : { maxExecutions: options.maxExecutions }),
      ...(maxDepth === undefined ? {} : { maxDepth }),
      ...(this.dpor === undefined && (options.races || this.isGraph || isRandom(this.strategy))
        ? {}
        : { memoryDepth: MAX_ORDERED_EVENTS }),
      ...(options.races || this.marks ? { judge: this.judge } : {}),
      ...(this.machine.program === this.program ? {} : { onError: demandOrder }),
      isLate: this.slice.isOver,
      onExecution: this.endExecution,
      onCut: (machine) => this.watchers.loops.cut(machine),
    });
  }

  private readonly judge = (machine: Machine, outcome: Outcome): ProgramError | undefined => {
    const race = this.options.races && !this.isGraph ? judgeRaces(machine, outcome) : undefined;
    if (race !== undefined || !this.marks) return race;
    const { observations } = this;
    return observations === undefined ? unendedOperation(machine, outcome) : observations.judge(machine, outcome);
  };

  private readonly endExecution = (machine: Machine, outcome: Outcome): void => {
    if (outcome === 'limit') machine.demandRoom();
    this.watchers.conclude(machine, outcome);
    if (this.alarms !== undefined && this.isEnough?.(this.alarms) === true)
      this.exploration.cut({ kind: 'first alarm' });
  };

  /** What the monitors found, if there are any. */
  get alarms(): Alarms | undefined {
    return this.watchers.alarms;
  }

  /** Whether threads may wait in front of reads that others could see. */
  get mayWait(): boolean {
    return this.machine.idleWaits !== undefined;
  }

  /** Whether workers take part. */
  get isTogether(): boolean {
    return this.together !== undefined || this.runsTogether !== undefined;
  }

  /** Whether operations of the program may commute, so that only one of their orders is explored. */
  get mayCommute(): boolean {
    return this.dpor?.happensBefore.mayCommute === true;
  }

  advance(steps: number): boolean {
    if (this.together !== undefined) return this.advanceTogether(this.together);
    if (this.runsTogether !== undefined) return this.advanceRuns(this.runsTogether);
    this.slice.begin();
    const done = this.exploration.advance(steps);
    if (!done && this.parts.helpers !== undefined) this.divide(this.parts.helpers);
    if (done) this.seconds = this.elapsed;
    const { dpor } = this;
    if (dpor !== undefined) this.forecast.note(this.counts.executions, () => dpor.estimate());
    return done;
  }

  /** Lets workers help, if the search has taken long enough and their results will add up. */
  private divide(helpers: Helpers): void {
    const { isDivisible, exploration, alarms, machine } = this;
    if (!isDivisible || (alarms?.count ?? 0) <= this.failedWith) return;
    if (!this.divisionTime!.isDue(this.elapsed, this.counts.executions)) return;
    this.pause();
    if (this.numbered !== undefined) return this.divideRuns(this.numbered, helpers);
    const { errors, boundedBy } = exploration.result;
    if (this.countsAlarms && (alarms?.count ?? 0) > 0) return;
    if (errors.length > 0 || !boundedBy.every(isOfTrace) || !machine.processes.areFixed) return;
    const { levels } = this.divisible!.save();
    if (levels.length === 0) return;
    this.leftAlone = levels;
    if (this.dpor === undefined || !haveSmallParts(levels, this.counts.executions)) {
      this.together = helpers.begin(this.work, levels, this.divisionTime!.speed);
      return;
    }
    if (!this.divisionTime!.isDueAnew(this.elapsed)) return;
    const parts = partsByOrders(this.newMachine, this.mayCommute, this.parts.watched, helpers);
    if (parts.length > 1) this.together = helpers.beginParts!(this.work, parts);
    else this.failedWith = alarms?.count ?? 0;
  }

  private divideRuns({ next, runs, known }: NumberedRuns, helpers: Helpers): void {
    if (this.exploration.isDone || !this.machine.processes.areFixed || next === runs) return;
    this.runsTogether = helpers.beginRuns?.(this.work, { from: next, to: runs, known });
  }

  private advanceRuns(together: RunsTogether): boolean {
    if (together.hasFailed || !this.machine.processes.areFixed) {
      this.endRuns(together);
      throw new NotTogether();
    }
    const isEnough = this.options.first === true && !this.options.keepGoing && together.errors.length > 0;
    const isDone = isEnough || addRuns(this.runsSearch, together);
    if (isEnough) this.cut({ kind: 'first error' });
    if (isDone) {
      this.endRuns(together);
      this.seconds = this.elapsed;
    }
    return isDone;
  }

  private endRuns(together: RunsTogether): void {
    together.stop();
    this.runsTogether = undefined;
    this.foundTogether = together.errors;
  }

  /** What workers need of a search that makes random runs. */
  get runsSearch(): RunsSearch {
    const { exploration } = this;
    const { coverage, loops, warnings } = this.watchers;
    return {
      numbered: this.numbered!,
      coverage: coverage!,
      loops,
      exploration,
      get findings() {
        return exploration.findings + warnings.count + loops.findings;
      },
      renew: () => {
        this.exploration = this.explore(this.searched);
      },
    };
  }

  /** Whether the number of alarms matters, and which is the first. */
  private get countsAlarms(): boolean {
    const { watched } = this.parts;
    return watched?.statistics === true || watched?.isEnough !== undefined;
  }

  /** Runs until the search can be saved, for at least this many executions. True once the search has ended. */
  private pause(executions = 1): boolean {
    for (;;) {
      if (this.exploration.advanceExecutions(executions)) return true;
      if (this.divisible?.isReplaying !== true) return false;
    }
  }

  private advanceTogether(together: Together): boolean {
    const { state, results } = together;
    const known = this.alarms?.save();
    if (
      this.options.first === true &&
      !this.options.keepGoing &&
      results.some(({ tally }) => tally.errors.length > 0)
    ) {
      this.cut({ kind: 'first error' });
      return true;
    }
    if (state === 'failed' || !results.every((part) => addsUp(part, known, this.isGraph))) {
      together.stop();
      this.together = undefined;
      this.foundTogether = results.flatMap(({ tally }) => tally.errors);
      this.failedWith = this.alarms?.count ?? 0;
      return false;
    }
    if (state === 'running') return false;
    this.collect(together);
    this.exploration.finish();
    this.seconds = this.elapsed;
    return true;
  }

  /** Adds what workers have found. */
  private collect({ results, isAnew }: Together): void {
    this.together = undefined;
    const executions = results.reduce((sum, { tally }) => sum + tally.counts.complete + tally.counts.erroneous, 0);
    // A search that began anew and was cut may have covered less than what was explored before. Then the latter counts.
    const isLess = isAnew === true && executions < this.counts.executions;
    if (isAnew === true && !isLess) this.exploration = this.explore(this.searched);
    for (const part of results)
      this.mergeCounts(isLess ? { ...part, tally: { ...NOTHING, errors: part.tally.errors } } : part);
    this.watchers.mergeParts(results);
  }

  private mergeCounts({ tally, hasWaited }: PartResult): void {
    this.exploration.merge(tally);
    this.hasWaited ||= hasWaited;
  }

  // ---- as plain data

  /** The search so far, between two executions; `undefined` if it can only start over. */
  save(): SavedSearch | undefined {
    const { divisible, together, machine } = this;
    if (divisible === undefined || this.marks) return undefined;
    const seconds = this.elapsed;
    if (together !== undefined) return { part: this.part, left: this.leftAlone, together: together.save(), seconds };
    // A search that an error or a bound has ended has nothing left to continue.
    if (this.pause()) return undefined;
    // Slots that are not fixed may differ elsewhere; the search over graphs goes through threads in their order, and
    // addresses depend on them.
    if (!machine.processes.areFixed) return undefined;
    return { part: this.part, left: divisible.save().levels, seconds };
  }

  /** Resumes a saved search of the same program, model and options. */
  resume({ part, left, together, seconds }: SavedSearch): void {
    this.started -= seconds * 1000;
    this.divisible!.resume(left);
    this.leftAlone = left;
    this.mergeCounts(part);
    this.watchers.merge(part);
    if (together !== undefined) this.together = this.parts.helpers!.resume(this.work, together);
  }

  /** While workers search: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.together?.wait() ?? this.runsTogether?.wait();
  }

  // ---- as a worker

  /** Begins with a job: a part of the search. */
  take(job: Job, proposals: Proposals): void {
    this.divisible!.take(job, proposals);
    this.exploration = this.explore(this.searched);
  }

  /** Runs about this many executions of the job. True once nothing is left of it. */
  advanceJob(executions: number): boolean {
    const isDone = this.pause(executions);
    this.demandFixed();
    return isDone;
  }

  /** Throws unless threads have the same slots in every worker. */
  demandFixed(): void {
    if (!this.machine.processes.areFixed) throw new Error('threads have places that depend on the order of executions');
  }

  /** What is left of the job. */
  get left(): readonly SearchLevel[] {
    return this.divisible!.save().levels;
  }

  /** A number that grows when something is found that must be reported at once. */
  get news(): number {
    const { errors, boundedBy } = this.exploration.result;
    return errors.length + boundedBy.filter((bound) => !isOfTrace(bound)).length + (this.alarms?.count ?? 0);
  }

  /** What has been found in the job. */
  get part(): PartResult {
    const { machine, exploration } = this;
    const { counts, ...tally } = exploration.save();
    return {
      tally: {
        ...tally,
        // Executions that got stuck do not count as abandoned: none of them continues with the orders of the job.
        counts: { ...counts, abandoned: counts.abandoned - (this.dpor?.stuck ?? 0) },
        // These include what a search over graphs does not model.
        bounds: exploration.result.boundedBy,
      },
      ...this.watchers.save(),
      hasWaited: this.hasWaited || machine.idleWaits?.hasWaited === true,
    };
  }

  get progress(): CheckProgress {
    const { model, machine, together } = this;
    const { blocked } = this.exploration.result;
    const elsewhere = (together ?? this.runsTogether)?.executions ?? 0;
    const alone = this.counts.executions;
    const executions = together?.isAnew === true ? Math.max(alone, elsewhere) : alone + elsewhere;
    const { forecast, elapsed: seconds } = this;
    return {
      model,
      executions,
      blocked,
      depth: machine.depth,
      // A getter, because it takes time.
      get estimate() {
        return forecast.at(seconds * 1000);
      },
      seconds,
    };
  }

  /** Seconds since the start of the search. */
  get elapsed(): number {
    return (performance.now() - this.started) / 1000;
  }

  stop(why: string): void {
    this.cut({ kind: 'stopped', why });
  }

  cut(bound: Bound): void {
    const { together } = this;
    together?.stop();
    if (this.runsTogether !== undefined) this.endRuns(this.runsTogether);
    // What was found so far counts.
    if (together !== undefined) this.collect(together);
    // An error counts even if there was no time to find it again alone.
    if (this.exploration.result.errors.length === 0) this.exploration.merge({ ...NOTHING, errors: this.foundTogether });
    this.watchers.loops.lookForLong(this.machine);
    this.exploration.cut(bound);
    this.seconds = this.elapsed;
  }

  get counts(): { executions: number; steps: number } {
    const { executions, steps } = this.exploration.result;
    // Paths of the enumerator merge, so its distinct traces are counted.
    return { executions: this.watchers.traces?.size || executions, steps };
  }

  get result(): ModelResult {
    const found: ExplorationResult = this.exploration.result;
    const unknown = this.observations?.incomplete;
    const { executions } = this.counts;
    const boundedBy = boundsOf(found, executions, unknown, {
      strategy: this.strategy,
      model: this.model,
      options: this.options,
      program: this.machine.program,
    });
    const bounds = boundedBy.map(printBound);
    return {
      model: this.model,
      verdict: found.errors.length > 0 ? { kind: 'violation' } : verdictWithoutViolation(bounds),
      how: 'explored',
      ...(this.enumerated === undefined ? {} : { enumerated: this.enumerated }),
      executions,
      blocked: found.blocked,
      blockedBy: found.blockedBy,
      ...(this.strategy === 'source' ? { givenUp: found.abandoned } : {}),
      cutsIdleLoops: found.blockedBy.spin > 0 || this.hasWaited || this.machine.idleWaits?.hasWaited === true,
      // Random runs are always bounded by their number, so that bound says nothing about loops.
      loops: this.watchers.loops.list(boundedBy.some(({ kind }) => kind !== 'random runs')),
      errors: found.errors,
      boundedBy,
      bounds,
      warnings: this.watchers.warnings.list,
      ...(this.options.only === undefined ? {} : { only: this.options.only }),
      seconds: this.seconds,
      ...this.watchers.extent,
      ...(this.pct === undefined ? {} : { guarantee: this.pct.guarantee }),
      ...(this.options.robust === true && !this.isGraph
        ? this.watchers.robustnessOf(this.machine, found.errors.length > 0 || bounds.length > 0)
        : { robust: null }),
    };
  }
}

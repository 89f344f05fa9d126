/** The search of a program under one model: machine → strategy → errors, counts, bounds → verdict. */
import { type Bound, printBound, type Stop } from '../explore/bound.ts';
import type { Divisible } from '../explore/dpor/divisible.ts';
import type { Job, Proposals } from '../explore/dpor/job.ts';
import { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import { TraceCount } from '../explore/dpor/machine/trace-count.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import { ALL_SHORTCUTS } from '../explore/dpor/shortcuts.ts';
import { Exploration, type ExplorationResult } from '../explore/explore.ts';
import { GraphSearch } from '../explore/graph/search.ts';
import { demandOrder, withMergedArrivals } from '../explore/merged-arrivals.ts';
import type { NumberedRuns } from '../explore/numbered-runs.ts';
import { Pct } from '../explore/pct.ts';
import { Pos } from '../explore/pos.ts';
import { Random } from '../explore/random.ts';
import { Retrace } from '../explore/retrace/retrace.ts';
import type { Strategy } from '../explore/strategy.ts';
import { Waker } from '../explore/wake.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { Machine, type Outcome } from '../machine/machine.ts';
import { type Model, modelNamed } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { StrategyName } from '../options/search.ts';
import type { Program } from '../program/ir.ts';
import { MAX_ORDERED_EVENTS } from '../trace/bit-rows.ts';
import type { Alarms } from './alarms.ts';
import { type Dividing, Division } from './division.ts';
import { Forecast } from './forecast.ts';
import type { ModelRunParts, Watched } from './model-parts.ts';
import type { CheckProgress, ModelResult } from './model-result.ts';
import { marksOperations, type ObservationSet, unendedOperation } from './observations.ts';
import { judgeRaces } from './races.ts';
import { verdictWithoutViolation } from './result.ts';
import { boundsOf } from './search-bounds.ts';
import { watchersOf } from './search-watchers.ts';
import type { RunsSearch } from './shared-runs.ts';
import { sharedWork } from './shared-work.ts';
import { Slice } from './slice.ts';
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
import { isOfTrace, type PartResult, type SavedSearch, type SharedWork } from './together.ts';
import { uncheckedIn } from './unchecked.ts';
import type { Watchers } from './watchers.ts';

/**
 * A program under one model. Throws if the search must start over: `MixedWait` if threads must read while they wait,
 * `NestedWait` if they must execute exchanges that fail, `CommutingWait` if operations that commute must be ordered,
 * `OrderOfArrivals` if arrivals at a barrier must be ordered, `TooManyThreads` if there must be room for more threads,
 * `NotTogether` if it must run without workers.
 */
export class ModelSearch implements Dividing {
  readonly model: Model;
  private readonly program: Program;
  readonly machine: Machine;
  readonly newMachine: () => Machine;
  readonly options: CheckOptions;
  private started = performance.now();
  exploration: Exploration;
  private readonly searched: Strategy;
  readonly watchers: Watchers;
  /** Whether threads that sleep in a loop are woken, because the search does not try every order. */
  private readonly wakes: boolean;
  private readonly strategy: StrategyName;
  private readonly enumerated: WhyEnumerated | undefined;
  private readonly observations: ObservationSet | undefined;
  /** Whether the program marks operations. */
  private readonly marks: boolean;
  private seconds = 0;
  /** The search, if it can report its progress; and if workers can continue it. */
  readonly dpor: MachineDpor | undefined;
  readonly divisible: Divisible | undefined;
  private readonly pct: Pct | undefined;
  readonly numbered: NumberedRuns | undefined;
  readonly watched: Watched | undefined;
  readonly forecast: Forecast;
  readonly work: SharedWork;
  readonly isDivisible: boolean;
  private readonly division: Division | undefined;
  private hasWaited = false;
  /** Whether other machines, of workers or before a pause, ran parts of the search. */
  private isPartly = false;
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
      this.strategy === 'optimal' || this.strategy === 'retrace'
        ? () => new TraceCount(this.newMachine(), { ...ALL_SHORTCUTS, commuting }, MAX_ORDERED_EVENTS)
        : undefined,
    );
    this.options = options;
    const strategy = makeStrategy({ ...options, strategy: this.strategy }, this.machine, commuting);
    this.dpor = strategy instanceof MachineDpor ? strategy : undefined;
    const isGraphs = strategy instanceof GraphSearch && !options.keepGoing;
    this.divisible = isGraphs || strategy instanceof Retrace ? strategy : this.dpor;
    this.pct = strategy instanceof Pct ? strategy : undefined;
    this.numbered = this.pct ?? (strategy instanceof Random || strategy instanceof Pos ? strategy : undefined);
    const { dpor, machine, strategy: name } = this;
    const elapsed = (): number => this.elapsed;
    this.watchers = watchersOf({ program, machine, name, strategy, dpor, options, commuting, elapsed }, parts);
    this.work = sharedWork(program, model, options, parts);
    this.watched = parts.watched;
    this.division = parts.helpers === undefined ? undefined : new Division(this, parts.helpers);
    this.isDivisible =
      (((this.strategy === 'optimal' || this.strategy === 'retrace' || isGraphs) &&
        options.maxExecutions === undefined) ||
        (this.numbered !== undefined && parts.helpers?.beginRuns !== undefined)) &&
      options.robust !== true &&
      options.observations !== true &&
      !this.marks;
    this.searched = strategy;
    this.exploration = this.explore(strategy);
  }

  /** Where races are errors of the model, the search itself finds them. */
  get isGraph(): boolean {
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
        ...(options.races || this.isGraph ? [] : this.watchers.warnings.follow(strategy)),
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
    if (this.alarms !== undefined && this.watched?.isEnough?.(this.alarms) === true)
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
    return this.division?.isOn === true;
  }

  /** Whether operations of the program may commute, so that only one of their orders is explored. */
  get mayCommute(): boolean {
    return this.dpor?.happensBefore.mayCommute === true;
  }

  advance(steps: number): boolean {
    const { division, dpor } = this;
    if (division?.isOn === true) {
      const isDone = division.advance();
      if (isDone) this.seconds = this.elapsed;
      return isDone;
    }
    this.slice.begin();
    const done = this.exploration.advance(steps);
    if (!done) division?.begin();
    if (done) this.seconds = this.elapsed;
    if (dpor !== undefined) this.forecast.note(this.counts.executions, () => dpor.estimate());
    return done;
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
      renew: () => this.renew(),
    };
  }

  renew(): void {
    this.exploration = this.explore(this.searched);
  }

  /** Runs until the search can be saved, for at least this many executions. True once the search has ended. */
  pause(executions = 1): boolean {
    for (;;) {
      if (this.exploration.advanceExecutions(executions)) return true;
      if (this.divisible?.isReplaying !== true) return false;
    }
  }

  mergeCounts({ tally, hasWaited }: PartResult): void {
    this.exploration.merge(tally);
    this.hasWaited ||= hasWaited;
    this.isPartly = true;
  }

  // ---- as plain data

  /** The search so far, between two executions; `undefined` if it can only start over. */
  save(): SavedSearch | undefined {
    const { divisible, machine } = this;
    if (divisible === undefined || this.marks) return undefined;
    const seconds = this.elapsed;
    const divided = this.division?.save();
    if (divided !== undefined) return { part: this.part, ...divided, seconds };
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
    this.mergeCounts(part);
    this.watchers.merge(part);
    if (together !== undefined) this.division!.resume(left, together);
  }

  /** While workers search: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.division?.wait();
  }

  // ---- as a worker

  /** Begins with a job: a part of the search. */
  take(job: Job, proposals: Proposals): void {
    this.divisible!.take(job, proposals);
    this.renew();
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
    const { model, machine, division } = this;
    const { blocked } = this.exploration.result;
    const elsewhere = division?.executions ?? 0;
    const alone = this.counts.executions;
    const executions = division?.isAnew === true ? Math.max(alone, elsewhere) : alone + elsewhere;
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

  /** The search has stood still for so many milliseconds, which do not count. */
  skip(milliseconds: number): void {
    this.started += milliseconds;
  }

  /** Seconds since the start of the search. */
  get elapsed(): number {
    return (performance.now() - this.started) / 1000;
  }

  stop(why: Stop): void {
    this.cut(why);
  }

  cut(bound: Bound): void {
    this.division?.end();
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
      ...uncheckedIn(this.machine, { isPartly: this.isPartly, judges: this.observations !== undefined }),
      ...(this.options.only === undefined ? {} : { only: this.options.only }),
      seconds: this.seconds,
      ...this.watchers.extent,
      // Without a run, nothing is known of the program's size.
      ...(this.pct === undefined || executions + found.blocked === 0 ? {} : { guarantee: this.pct.guarantee }),
      ...(this.options.robust === true && !this.isGraph
        ? this.watchers.robustnessOf(this.machine, found.errors.length > 0 || bounds.length > 0)
        : { robust: null }),
    };
  }
}

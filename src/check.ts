/**
 * The pipeline: a program and what to ask of it → what was found, per memory model.
 *
 *   program → for each model: machine → strategy → errors, counts, bounds → verdict
 *
 * SC comes first. What is wrong there is wrong in every model, since each of them has all SC executions.
 */
import { Bounded } from './explore/bounded.ts';
import { Dpor } from './explore/dpor/dpor.ts';
import { Enumerator } from './explore/enumerator.ts';
import { Exhaustive } from './explore/exhaustive.ts';
import { type BlockedCounts, Exploration, type ExplorationResult, type FoundError } from './explore/explore.ts';
import { Random } from './explore/random.ts';
import type { Strategy } from './explore/strategy.ts';
import { Waker } from './explore/wake.ts';
import { describeEvent } from './machine/describe.ts';
import type { ProgramError } from './machine/error.ts';
import { Machine, type MachineOptions, type Outcome } from './machine/machine.ts';
import type { Model } from './machine/memory/memory.ts';
import { ObservationSet } from './observations.ts';
import type { Program } from './program/ir.ts';
import { printLocation } from './program/location.ts';
import { type Verdict, verdictWithoutViolation } from './result.ts';
import { type CycleDescription, Robustness } from './robustness.ts';
import { findRace } from './trace/race.ts';
import { traceKey } from './trace/trace-key.ts';

/**
 * - `optimal`: every trace, each exactly once (exact)
 * - `source`: every trace, with executions that turn out to be needless now and then (exact)
 * - `enumerate`: every trace, visiting each state with each trace so far once (exact; memory grows with the states)
 * - `exhaustive`: every schedule, one after the other (exact; only for the smallest programs)
 * - `bounded`: every SC schedule with at most so many preemptions
 * - `random`: seeded random schedules
 */
export type StrategyName = 'optimal' | 'source' | 'enumerate' | 'exhaustive' | 'bounded' | 'random';

export const STRATEGIES: readonly StrategyName[] = [
  'optimal',
  'source',
  'enumerate',
  'exhaustive',
  'bounded',
  'random',
];

export interface CheckOptions {
  readonly models: readonly Model[];
  readonly strategy: StrategyName;
  /** For `bounded`: up to how many preemptions. */
  readonly preemptions: number;
  readonly seed: number;
  /** For `random` the number of runs; otherwise where to give up. */
  readonly maxExecutions: number | undefined;
  readonly maxSteps: number | undefined;
  /** For `enumerate`: states to visit before giving up. */
  readonly maxStates: number;
  readonly keepGoing: boolean;
  /** Data races are errors. */
  readonly races: boolean;
  /** Test every trace for a cycle. */
  readonly robust?: boolean;
  /** Executions whose operations have results that no serial execution has are errors. */
  readonly observations?: boolean;
  /** Leave out iterations of loops that only wait. */
  readonly spin?: boolean;
  /** How often a loop may be run; 0 or nothing = any number of times. */
  readonly unroll?: number;
  /** Run everything by the plain interpreter, without generated code. */
  readonly interpret?: boolean;
}

export interface ModelResult {
  readonly model: Model;
  readonly verdict: Verdict;
  /** How it was decided: by exploring this model, or because SC is wrong already. */
  readonly how: 'explored' | 'sc';
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  readonly errors: readonly FoundError[];
  readonly bounds: readonly string[];
  readonly seconds: number;
  /** Whether all traces are those of SC; `null` if that was not asked, or not found out. */
  readonly robust: boolean | null;
  /** Iterations of a loop that only waited were left out, and there were some. */
  readonly cutsIdleLoops: boolean;
  /** If it was asked: how many traces SC has not got, and a cycle in one of them. */
  readonly beyondSc?: number;
  readonly cycle?: CycleDescription;
}

export const DEFAULT_RANDOM_RUNS = 10_000;
/** Steps per execution with `enumerate`, whose keys grow with them. */
const ENUMERATE_MAX_STEPS = 2000;
/** With DPOR, whose happens-before takes memory with the square of them, and where chance could go on for ever. */
const DEFAULT_MAX_STEPS = 20_000;

/** `bounded` is a method for SC; under another model it would leave out commits, and so behaviours, silently. */
export function unsoundCombination(strategy: StrategyName, model: Model): string | undefined {
  if (strategy === 'bounded' && model !== 'sc') {
    return `strategy bounded counts preemptions of threads and covers SC only, not ${model}; use random or exhaustive`;
  }
  if (model === 'pslo') return 'pslo is for litmus tests and hunt; check takes sc, tso and pso';
  return undefined;
}

/** One program, run a piece at a time: `advance` until it returns true, or `stop`; `results` at any time. */
export class CheckRun {
  private readonly program: Program;
  private readonly options: CheckOptions;
  private readonly finished: ModelResult[] = [];
  private readonly pending: Model[];
  private readonly observations: ObservationSet | undefined;
  private current: ModelRun | undefined;

  constructor(program: Program, options: CheckOptions) {
    this.program = program;
    this.options = options;
    this.pending = [...options.models];
    this.observations = options.observations === true ? new ObservationSet(program) : undefined;
  }

  advance(steps: number): boolean {
    if (this.current === undefined) {
      const model = this.pending.shift();
      if (model === undefined) return true;
      const sc = this.finished.find((r) => r.model === 'sc');
      if (sc?.verdict.kind === 'violation' && !this.options.keepGoing) {
        this.finished.push({ ...sc, model, how: 'sc', seconds: 0, robust: null });
        return this.pending.length === 0;
      }
      this.current = new ModelRun(this.program, model, this.options, this.observations);
    }
    if (this.current.advance(steps)) this.finish();
    return this.current === undefined && this.pending.length === 0;
  }

  stop(why: string): void {
    this.current?.stop(why);
    if (this.current !== undefined) this.finish();
    for (const model of this.pending.splice(0)) {
      const run = new ModelRun(this.program, model, this.options, this.observations);
      run.stop(why);
      this.finished.push(run.result);
    }
  }

  private finish(): void {
    this.finished.push(this.current!.result);
    this.current = undefined;
  }

  get results(): readonly ModelResult[] {
    return this.finished;
  }

  /** Model, executions and steps of what is running now, for progress. */
  get progress(): { model: Model; executions: number; steps: number } | undefined {
    return this.current === undefined ? undefined : { model: this.current.model, ...this.current.counts };
  }
}

/** A program under one model. */
class ModelRun {
  readonly model: Model;
  private readonly machine: Machine;
  private readonly options: CheckOptions;
  private readonly strategies: Strategy[];
  private readonly started = performance.now();
  private exploration: Exploration;
  /** With `enumerate`, whose paths meet: the distinct traces, which are what counts as executions. */
  private readonly traces = new Set<string>();
  private readonly robustness: Robustness | undefined;
  /** Threads that sleep in a loop are woken, because the search does not try every order. */
  private readonly wakes: boolean;
  private readonly strategy: StrategyName;
  private readonly observations: ObservationSet | undefined;
  private seconds = 0;

  constructor(program: Program, model: Model, options: CheckOptions, observations?: ObservationSet) {
    this.observations = observations;
    this.model = model;
    this.strategy = soundStrategy(options.strategy, program);
    this.wakes = this.strategy === 'random' || this.strategy === 'bounded';
    this.machine = new Machine(program, model, {}, machineOptions(options));
    this.options = options;
    this.robustness = options.robust === true && model !== 'sc' ? new Robustness() : undefined;
    this.strategies = makeStrategies({ ...options, strategy: this.strategy }, this.machine);
    this.exploration = this.explore(this.strategies.shift()!);
  }

  private explore(strategy: Strategy): Exploration {
    const { options } = this;
    const maxDepth = options.maxSteps ?? defaultMaxSteps(this.strategy);
    this.machine.rollback(0);
    return new Exploration(this.machine, strategy, {
      keepGoing: options.keepGoing,
      ...(this.wakes ? { followers: [new Waker(this.machine)] } : {}),
      ...(this.strategy === 'random' || options.maxExecutions === undefined
        ? {}
        : { maxExecutions: options.maxExecutions }),
      ...(maxDepth === undefined ? {} : { maxDepth }),
      ...(options.races || this.observations !== undefined ? { judge: this.judge } : {}),
      ...(this.strategy === 'enumerate' || this.robustness !== undefined ? { onExecution: this.noteTrace } : {}),
    });
  }

  private readonly judge = (machine: Machine): ProgramError | undefined =>
    (this.options.races ? judgeRaces(machine) : undefined) ?? this.observations?.judge(machine);

  private readonly noteTrace = (machine: Machine, outcome: Outcome): void => {
    if (outcome === 'limit') return;
    if (this.strategy === 'enumerate') {
      const key = traceKey(machine);
      if (this.traces.has(key) || outcome === 'blocked') return;
      this.traces.add(key);
    }
    this.robustness?.addExecution(machine);
  };

  advance(steps: number): boolean {
    let done = this.exploration.advance(steps);
    if (done && this.strategies.length > 0) {
      const { errors, bounds } = this.exploration.result;
      // One more preemption helps only if the last bound left something out.
      const isCut = bounds.some((b) => !b.startsWith('preemptions') && !b.startsWith('steps per execution'));
      const isBounded = bounds.some((b) => b.startsWith('preemptions'));
      if (errors.length === 0 && !isCut && isBounded) {
        this.exploration = this.explore(this.strategies.shift()!);
        done = false;
      }
    }
    if (done) this.seconds = (performance.now() - this.started) / 1000;
    return done;
  }

  stop(why: string): void {
    this.exploration.stop(why);
    this.seconds = (performance.now() - this.started) / 1000;
  }

  get counts(): { executions: number; steps: number } {
    const { executions, steps } = this.exploration.result;
    return { executions: this.traces.size > 0 ? this.traces.size : executions, steps };
  }

  get result(): ModelResult {
    const found: ExplorationResult = this.exploration.result;
    const unknown = this.observations?.incomplete;
    const bounds = [...found.bounds.filter((b) => b !== 'first error'), ...(unknown === undefined ? [] : [unknown])];
    return {
      model: this.model,
      verdict: found.errors.length > 0 ? { kind: 'violation' } : verdictWithoutViolation(bounds),
      how: 'explored',
      executions: this.counts.executions,
      blocked: found.blocked,
      blockedBy: found.blockedBy,
      cutsIdleLoops: found.blockedBy.spin > 0,
      errors: found.errors,
      bounds,
      seconds: this.seconds,
      ...this.robustnessResult(found.errors.length > 0 || bounds.length > 0),
    };
  }

  private robustnessResult(isCut: boolean): Pick<ModelResult, 'robust' | 'beyondSc' | 'cycle'> {
    const { robustness, options, model } = this;
    if (options.robust !== true) return { robust: null };
    if (robustness === undefined || robustness.cyclic === 0) {
      return { robust: isCut ? null : true, ...(model === 'sc' ? {} : { beyondSc: 0 }) };
    }
    return { robust: false, beyondSc: robustness.cyclic, cycle: robustness.cycle! };
  }
}

/**
 * An execution that ends inside of an atomic section never shows what the threads that it held back would have done, and
 * DPOR learns of orders from what was done. So programs with such sections are enumerated.
 */
function soundStrategy(strategy: StrategyName, program: Program): StrategyName {
  if (strategy !== 'optimal' && strategy !== 'source') return strategy;
  const hasSections = program.functions.some((f) => f.blocks.some((b) => b.body.some((i) => i.op === 'beginatomic')));
  return hasSections ? 'enumerate' : strategy;
}

function defaultMaxSteps(strategy: StrategyName): number | undefined {
  switch (strategy) {
    case 'enumerate':
      return ENUMERATE_MAX_STEPS;
    case 'optimal':
    case 'source':
    case 'random':
    case 'bounded':
      return DEFAULT_MAX_STEPS;
    default:
      return undefined;
  }
}

function machineOptions(options: CheckOptions): MachineOptions {
  return { interpret: options.interpret === true, spin: options.spin !== false, unroll: options.unroll ?? 0 };
}

/** In the order in which they are tried; each but the last only if it settles nothing. */
function makeStrategies(options: CheckOptions, machine: Machine): Strategy[] {
  switch (options.strategy) {
    case 'optimal':
    case 'source':
      return [new Dpor(machine, options.strategy)];
    case 'enumerate':
      return [new Enumerator(machine, options.maxStates)];
    case 'exhaustive':
      return [new Exhaustive()];
    case 'random':
      return [new Random(options.seed, options.maxExecutions ?? DEFAULT_RANDOM_RUNS)];
    case 'bounded':
      return Array.from({ length: options.preemptions + 1 }, (_, k) => new Bounded(k));
  }
}

function judgeRaces(machine: Machine): ProgramError | undefined {
  const race = findRace(machine.events, machine.processes);
  if (race === undefined) return undefined;
  const [first, second] = [describeEvent(machine, race.first), describeEvent(machine, race.second)];
  const where = (event: typeof first): string =>
    `${event.effect} in thread ${event.thread}${event.source === undefined ? '' : ` at ${printLocation(event.source)}`}`;
  return {
    kind: 'race',
    message: `data race: ${where(first)}, and ${where(second)}, with nothing to order them`,
    thread: second.thread,
    ...(second.source === undefined
      ? {}
      : { file: second.source.file, line: second.source.line, column: second.source.column }),
  };
}

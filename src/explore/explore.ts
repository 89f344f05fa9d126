/** The one loop that every strategy runs in. */
import { describeDeadlock, describeEndlessWait, endsWaiting, waitsForEver } from '../machine/deadlock.ts';
import type { ProgramError } from '../machine/error.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { MemoryLimit } from '../util/memory-limit.ts';
import { printSchedule, scheduleOf } from './schedule.ts';
import { ABANDON, type Follower, NO_STEP, type Strategy } from './strategy.ts';

const NOBODY: readonly Follower[] = [];

export interface ExploreOptions {
  /** Told about every execution that ran to its end, before the machine leaves it. */
  readonly onExecution?: (machine: Machine, outcome: Outcome) => void;
  readonly followers?: readonly Follower[];
  /** Looks at a complete execution for what the machine does not notice; an error it returns counts as one. */
  readonly judge?: (machine: Machine) => ProgramError | undefined;
  /** Go on after an error, to find others. */
  readonly keepGoing?: boolean;
  readonly maxExecutions?: number;
  /** Steps in one execution. An execution that is cut is no execution, and the search is then incomplete. */
  readonly maxDepth?: number;
  /** The same, because what the search keeps of an execution takes more memory than there is. */
  readonly memoryDepth?: number;
}

export interface FoundError {
  readonly error: ProgramError;
  /** As `printSchedule` writes it: good for any machine with this program and model. */
  readonly schedule: string;
  /** As the search found it, if `schedule` is a simpler execution with the same error. */
  readonly original?: string;
}

/** Blocked executions, by the first of these causes that applies. */
export interface BlockedCounts {
  /** An assumption does not hold. */
  readonly assume: number;
  /** A loop has been run as often as the bound allows. */
  readonly unroll: number;
  /** A thread waits in a loop for a value that came too late for it in this execution. */
  readonly spin: number;
}

export interface ExplorationResult {
  /** Executions in which every thread ended, or main and with it the process, or which ended in an error. */
  readonly executions: number;
  /** Executions that no thread could go on with, though none is to blame; and how many by each cause. */
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  /** Executions given up because the strategy knew that nothing new lay ahead. */
  readonly abandoned: number;
  readonly steps: number;
  readonly errors: readonly FoundError[];
  /** What cut the search short; empty exactly if everything was covered. */
  readonly bounds: readonly string[];
}

/**
 * A search that can be run a piece at a time, so that whoever drives it can show progress, keep a deadline and listen
 * to the user in between. `advance` until it returns true, or `stop`; `result` at any time.
 */
export class Exploration {
  private readonly machine: Machine;
  private readonly strategy: Strategy;
  private readonly options: ExploreOptions;
  private readonly counts = { complete: 0, erroneous: 0, blocked: 0, abandoned: 0, steps: 0 };
  private readonly blockedBy = { assume: 0, unroll: 0, spin: 0 };
  private readonly errors: FoundError[] = [];
  private readonly bounds = new Set<string>();
  /** Between `beginExecution` and `endExecution`. */
  private inExecution = false;
  private done = false;

  constructor(machine: Machine, strategy: Strategy, options: ExploreOptions = {}) {
    this.machine = machine;
    this.strategy = strategy;
    this.options = options;
  }

  /** Takes up to `steps` more steps; true once the search has ended. */
  advance(steps: number): boolean {
    const end = this.counts.steps + steps;
    try {
      while (!this.done && this.counts.steps < end) {
        if (!this.inExecution) this.begin();
        else this.run(end);
      }
    } catch (error) {
      // Where it struck, the machine or the strategy is half done with a step. Neither is used again.
      if (!(error instanceof MemoryLimit)) throw error;
      this.stop(`memory: an execution of ${this.machine.depth} steps`);
    }
    return this.done;
  }

  /** Ends the search here; `why` becomes one of its bounds. */
  stop(why: string): void {
    if (this.done) return;
    this.bounds.add(why);
    this.done = true;
  }

  private begin(): void {
    const { machine, strategy, options, counts } = this;
    const keep = strategy.beginExecution();
    if (keep < 0) {
      this.done = true;
      return;
    }
    const max = options.maxExecutions ?? Number.POSITIVE_INFINITY;
    this.inExecution = true;
    if (counts.complete + counts.blocked + counts.erroneous >= max) return this.stop(`executions: ${max}`);
    machine.rollback(keep);
    for (const follower of options.followers ?? NOBODY) follower.rollback(keep);
  }

  /** Runs the current execution to its end, or until `end` steps have been taken in all. */
  private run(end: number): void {
    const { machine, strategy, counts } = this;
    const followers = this.options.followers ?? NOBODY;
    const { maxDepth: asked = Number.POSITIVE_INFINITY, memoryDepth = Number.POSITIVE_INFINITY } = this.options;
    const maxDepth = Math.min(asked, memoryDepth);
    // Whether there is a step left is then known by asking for one; before stopping for another reason, by looking.
    const looks = strategy.looksForSteps === true;
    for (;;) {
      if (!looks && machine.enabled() === 0) break;
      if (machine.depth >= maxDepth && (!looks || machine.enabled() > 0)) {
        this.bounds.add(`steps per execution: ${maxDepth}${maxDepth < asked ? ', for lack of memory' : ''}`);
        return this.end();
      }
      if (counts.steps >= end && (!looks || machine.enabled() > 0)) return;
      const step = strategy.pick(machine.steps);
      if (step === NO_STEP) {
        if (machine.enabled() > 0) throw new Error('a strategy has overlooked a step');
        break;
      }
      if (step === ABANDON) {
        const judged =
          strategy.followsList === true && machine.mainHasReturned ? this.options.judge?.(machine) : undefined;
        if (judged === undefined) counts.abandoned++;
        else this.addError(judged);
        return this.end();
      }
      machine.step(step);
      counts.steps++;
      const event = machine.depth - 1;
      strategy.observe(event);
      for (let i = 0; i < followers.length; i++) followers[i]!.observe(event);
    }
    const { outcome } = machine;
    this.conclude(outcome === 'blocked' && endsWaiting(machine) ? 'complete' : outcome);
    this.end();
  }

  private conclude(outcome: Outcome): void {
    const { machine, counts } = this;
    this.options.onExecution?.(machine, outcome);
    const judged = outcome === 'complete' ? this.options.judge?.(machine) : undefined;
    if (judged !== undefined) this.addError(judged);
    else if (outcome === 'complete') counts.complete++;
    else if (outcome === 'blocked') this.addBlocked();
    else if (outcome === 'limit') this.bounds.add(`machine: ${machine.boundText}`);
    else this.addError(machine.error ?? describeDeadlock(machine));
  }

  private addBlocked(): void {
    const { machine, blockedBy } = this;
    const { assumed, unrolled } = machine.blockedBy();
    if (assumed === 0 && unrolled === 0 && waitsForEver(machine)) return this.addError(describeEndlessWait(machine));
    this.counts.blocked++;
    if (assumed > 0) blockedBy.assume++;
    else if (unrolled > 0) blockedBy.unroll++;
    else blockedBy.spin++;
    if (unrolled > 0) this.bounds.add(`unroll: ${machine.unroll}`);
  }

  /** The same error at the same place is reported once, however many executions it ends. */
  private addError(error: ProgramError): void {
    const { machine, errors } = this;
    this.counts.erroneous++;
    const isKnown = errors.some(
      ({ error: e }) =>
        e.kind === error.kind && e.message === error.message && e.file === error.file && e.line === error.line,
    );
    if (!isKnown) errors.push({ error, schedule: printSchedule(machine, scheduleOf(machine)) });
  }

  private end(): void {
    this.strategy.endExecution();
    this.inExecution = false;
    if (this.errors.length > 0 && this.options.keepGoing !== true) this.stop('first error');
  }

  /** Taken so far, in all executions. */
  get steps(): number {
    return this.counts.steps;
  }

  get result(): ExplorationResult {
    const { counts, errors, strategy } = this;
    const bounds = strategy.incomplete === undefined ? this.bounds : new Set([...this.bounds, strategy.incomplete]);
    return {
      executions: counts.complete + counts.erroneous,
      blocked: counts.blocked,
      blockedBy: this.blockedBy,
      abandoned: counts.abandoned,
      steps: counts.steps,
      errors,
      bounds: [...bounds],
    };
  }
}

/** Runs a search to its end. */
export function explore(machine: Machine, strategy: Strategy, options: ExploreOptions = {}): ExplorationResult {
  const exploration = new Exploration(machine, strategy, options);
  exploration.advance(Number.POSITIVE_INFINITY);
  return exploration.result;
}

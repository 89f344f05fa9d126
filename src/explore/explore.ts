/** The one loop that every strategy runs in. */

import type { ErrorKind } from '../machine/code/error.ts';
import { endsWaiting } from '../machine/describe/deadlock.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { takeIdleReads } from '../machine/take-idle-reads.ts';
import { MemoryLimit } from '../util/memory-limit.ts';
import { type Bound, Bounds, printBound, type Stop } from './bound.ts';
import type { BlockedCounts, SavedCounts } from './counts.ts';
import type { FoundError } from './found-errors.ts';
import { ABANDON, type Follower, NO_STEP, type Strategy } from './strategy.ts';
import { type Judge, type SavedTally, Tally } from './tally.ts';

export type { BlockedCounts } from './counts.ts';
export type { FoundError } from './found-errors.ts';

const NOBODY: readonly Follower[] = [];
/** More steps than fit into memory. A small integer, because it is compared at every step. */
const NEVER = 0x3fffffff;
/** In a long execution, some steps take as long as a whole execution of another program. */
const STEPS_BETWEEN_LOOKS = 256;

export interface ExploreOptions {
  /** Called for every execution that ran to its end, before the machine leaves it. */
  readonly onExecution?: (machine: Machine, outcome: Outcome) => void;
  /** Called likewise for every execution that has too many steps. */
  readonly onCut?: (machine: Machine) => void;
  readonly followers?: readonly Follower[];
  /** Examines complete executions for errors that the machine does not notice; an error that it returns counts. */
  readonly judge?: Judge;
  /** Called for every error before it is counted, even for an ignored kind. */
  readonly onError?: () => void;
  /** Continue after an error, to find others. */
  readonly keepGoing?: boolean;
  /** Kinds of errors that do not count. */
  readonly ignored?: ReadonlySet<ErrorKind>;
  readonly maxExecutions?: number;
  /** Asked after each execution, and within long ones: whether `advance` returns early. */
  readonly isLate?: () => boolean;
  /** Maximum steps in one execution. A cut execution does not count, and makes the search incomplete. */
  readonly maxDepth?: number;
  /** The same limit, set because the data kept for an execution would exceed the memory. */
  readonly memoryDepth?: number;
}

export interface ExplorationResult {
  /** Executions in which every thread ended, main returned and so ended the process, or an error occurred. */
  readonly executions: number;
  /** Blocked executions, which are not errors, in all and by cause. */
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  /** Executions abandoned because the strategy knew that nothing new lay ahead. */
  readonly abandoned: number;
  readonly steps: number;
  readonly errors: readonly FoundError[];
  /** What cut the search short; empty exactly if everything was covered. */
  readonly boundedBy: readonly Bound[];
  /** The same in words. */
  readonly bounds: readonly string[];
}

/**
 * A search that runs in slices, so that its caller can show progress, check a deadline and listen to the user in
 * between. Call `advance` until it returns true, or `stop`; `result` at any time.
 */
export class Exploration {
  private readonly machine: Machine;
  private readonly strategy: Strategy;
  private readonly options: ExploreOptions;
  private readonly followers: readonly Follower[];
  /** Steps of the longest execution. */
  private readonly maxDepth: number;
  private readonly tally: Tally;
  /** Followers see each execution only at its end, once the strategy has put it in order. */
  private readonly followsLate: boolean;
  /** Between `beginExecution` and `endExecution`. */
  private inExecution = false;
  private done = false;

  constructor(machine: Machine, strategy: Strategy, options: ExploreOptions = {}) {
    // Any other strategy would take choices that are not consistent.
    if (machine.description.isAxiomatic && strategy.knowsAxioms !== true && strategy.followsList !== true) {
      throw new Error(`${machine.model} is explored by its graphs, not by strategy ${strategy.name}`);
    }
    this.machine = machine;
    this.strategy = strategy;
    this.options = options;
    this.followsLate = strategy.arrange !== undefined;
    this.followers = options.followers ?? NOBODY;
    this.maxDepth = Math.min(options.maxDepth ?? NEVER, options.memoryDepth ?? NEVER, NEVER);
    this.tally = new Tally(options.judge, options.ignored, options.onError);
  }

  /** Takes up to `steps` more steps; true once the search has ended. */
  advance(steps: number): boolean {
    const { counts } = this.tally;
    const { isLate } = this.options;
    const end = counts.steps + steps;
    return this.withinMemory(() => {
      while (!this.done && counts.steps < end) {
        if (!this.inExecution) this.begin();
        else this.run(isLate === undefined ? end : Math.min(end, counts.steps + STEPS_BETWEEN_LOOKS));
        if (isLate?.() === true) return;
      }
    });
  }

  /** Runs up to `executions` to their ends, so that the search can be saved; true once it has ended. */
  advanceExecutions(executions: number): boolean {
    return this.withinMemory(() => {
      for (let n = 0; n < executions && !this.done; n++) {
        if (!this.inExecution) this.begin();
        if (!this.done) this.run(Number.POSITIVE_INFINITY);
      }
    });
  }

  private withinMemory(work: () => void): boolean {
    try {
      work();
    } catch (error) {
      // The machine or the strategy stopped in the middle of a step. Neither is used again.
      if (!(error instanceof MemoryLimit)) throw error;
      this.cut({ kind: 'memory', steps: this.machine.depth });
    }
    return this.done;
  }

  /** Ends the search here; `why` becomes one of its bounds. */
  stop(why: Stop): void {
    this.cut(why);
  }

  /** The same, for any other bound. */
  cut(bound: Bound): void {
    if (this.done) return;
    this.tally.bounds.add(bound);
    this.done = true;
  }

  private begin(): void {
    const { machine, strategy, options } = this;
    const keep = strategy.beginExecution();
    if (keep < 0) {
      this.done = true;
      return;
    }
    const max = options.maxExecutions ?? Number.POSITIVE_INFINITY;
    this.inExecution = true;
    if (this.tally.counts.ended >= max) return this.cut({ kind: 'executions', limit: max });
    machine.rollback(keep);
    if (!this.followsLate) this.forget(keep);
  }

  /** Followers forget all events from this number on. */
  private readonly forget = (depth: number): void => {
    const { followers } = this;
    for (let i = 0; i < followers.length; i++) followers[i]!.rollback(depth);
  };

  private show(event: number): void {
    const { followers } = this;
    for (let i = 0; i < followers.length; i++) followers[i]!.observe(event);
  }

  /** Runs the current execution to its end, or until `end` steps have been taken in all. */
  private run(end: number): void {
    const { machine, strategy, tally, maxDepth } = this;
    const { counts } = tally;
    const followers = this.followsLate ? NOBODY : this.followers;
    // Such a strategy answers `NO_STEP` when no step is left. Before stopping for another reason, ask the machine.
    const looks = strategy.looksForSteps === true;
    for (;;) {
      if (!looks && machine.enabled() === 0) break;
      if (machine.depth >= maxDepth && (!looks || machine.enabled() > 0)) {
        const forLackOfMemory = maxDepth < (this.options.maxDepth ?? Number.POSITIVE_INFINITY);
        tally.bounds.add({ kind: 'steps', limit: maxDepth, forLackOfMemory });
        this.options.onCut?.(machine);
        return this.end();
      }
      if (counts.steps >= end && (!looks || machine.enabled() > 0)) return;
      const step = strategy.pick(machine.steps);
      if (step === NO_STEP) {
        if (machine.enabled() > 0) throw new Error('a strategy has overlooked a step');
        break;
      }
      if (step === ABANDON) {
        // Under an axiomatic model, a race ends the execution in the middle.
        const mayJudge = machine.mainHasReturned || machine.description.isAxiomatic;
        tally.abandon(machine, strategy.followsList === true && mayJudge, strategy.found);
        return this.end();
      }
      machine.step(step);
      counts.steps++;
      const event = machine.depth - 1;
      strategy.observe(event);
      for (let i = 0; i < followers.length; i++) followers[i]!.observe(event);
    }
    this.conclude();
    this.end();
  }

  private conclude(): void {
    const { machine } = this;
    const seen = this.strategy.arrange?.(this.forget) ?? machine.depth;
    for (let event = seen; event < machine.depth; event++) this.show(event);
    const { depth } = machine;
    const { mark } = machine.state;
    takeIdleReads(machine);
    for (let event = depth; event < machine.depth; event++) this.show(event);
    const { outcome: reached } = machine;
    const outcome = reached === 'blocked' && endsWaiting(machine) ? 'complete' : reached;
    this.options.onExecution?.(machine, outcome);
    this.tally.conclude(machine, outcome);
    if (machine.depth > depth) {
      // The strategy did not choose these steps.
      machine.rollback(depth);
      machine.state.rewind(mark);
      this.forget(depth);
    }
  }

  private end(): void {
    const hasFailed = this.tally.errors.list.length > 0;
    this.strategy.endExecution(hasFailed);
    this.inExecution = false;
    if (hasFailed && this.options.keepGoing !== true) this.cut({ kind: 'first error' });
  }

  /** Steps taken so far, in all executions. */
  get steps(): number {
    return this.tally.counts.steps;
  }

  get counts(): SavedCounts {
    return this.tally.counts.save();
  }

  /** How many errors and bounds there are. */
  get findings(): number {
    return this.tally.errors.list.length + this.tally.bounds.size;
  }

  /** The totals of the search so far, as plain data; a search in parts has one for each part. */
  save(): SavedTally {
    return this.tally.save();
  }

  /** Adds the totals of another part of the search. */
  merge(other: SavedTally): void {
    this.tally.merge(other);
  }

  get isDone(): boolean {
    return this.done;
  }

  /** The rest of the search has been done elsewhere. */
  finish(): void {
    this.done = true;
  }

  get result(): ExplorationResult {
    const { tally, strategy } = this;
    const { counts } = tally;
    const bounds = new Bounds();
    bounds.merge(tally.bounds.save());
    if (strategy.incomplete !== undefined) bounds.add(strategy.incomplete);
    return {
      executions: counts.complete + counts.erroneous,
      blocked: counts.blocked,
      blockedBy: counts.blockedBy,
      abandoned: counts.abandoned,
      steps: counts.steps,
      errors: tally.errors.list,
      boundedBy: bounds.list,
      bounds: bounds.list.map(printBound),
    };
  }
}

/** Runs a search to its end. */
export function explore(machine: Machine, strategy: Strategy, options: ExploreOptions = {}): ExplorationResult {
  const exploration = new Exploration(machine, strategy, options);
  exploration.advance(Number.POSITIVE_INFINITY);
  return exploration.result;
}

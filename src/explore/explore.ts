/** The one loop that every strategy runs in. */
import type { ProgramError } from '../machine/error.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import type { Step } from '../machine/process.ts';
import { scheduleOf } from './schedule.ts';
import { ABANDON, type Follower, type Strategy } from './strategy.ts';

export interface ExploreOptions {
  /** Told about every execution that ran to its end, before the machine leaves it. */
  readonly onExecution?: (machine: Machine, outcome: Outcome) => void;
  readonly followers?: readonly Follower[];
  /** Go on after an error, to find others. */
  readonly keepGoing?: boolean;
  readonly maxExecutions?: number;
  /** Steps in one execution. An execution that is cut is no execution; the search is then incomplete. */
  readonly maxDepth?: number;
  /** Asked now and then; a string ends the search and says why (a deadline, an interrupt). */
  readonly shouldStop?: () => string | undefined;
}

export interface FoundError {
  readonly error: ProgramError;
  readonly schedule: readonly Step[];
}

export interface Exploration {
  /** Executions in which every thread ended, or which ended in an error. */
  readonly executions: number;
  /** Executions that stopped at an assumption. */
  readonly blocked: number;
  /** Executions given up because the strategy knew that nothing new lay ahead. */
  readonly abandoned: number;
  readonly steps: number;
  readonly errors: readonly FoundError[];
  /** What cut the search short; empty exactly if everything was covered. */
  readonly bounds: readonly string[];
}

/** Steps between two questions whether to stop: often enough to feel prompt, seldom enough not to cost. */
const STOP_INTERVAL = 4096;

export function explore(machine: Machine, strategy: Strategy, options: ExploreOptions = {}): Exploration {
  const { onExecution, followers = [], keepGoing = false, shouldStop } = options;
  const maxExecutions = options.maxExecutions ?? Number.POSITIVE_INFINITY;
  const maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
  const counts = { complete: 0, blocked: 0, abandoned: 0, steps: 0 };
  const errors: FoundError[] = [];
  const bounds = new Set<string>();
  let sinceAsked = 0;
  let stop: string | undefined;

  for (;;) {
    const keep = strategy.beginExecution();
    if (keep < 0) break;
    if (counts.complete + counts.blocked + errors.length >= maxExecutions) stop = `executions: ${maxExecutions}`;
    if (stop !== undefined) {
      bounds.add(stop);
      break;
    }
    machine.rollback(keep);
    for (const follower of followers) follower.rollback(keep);

    let cut = false;
    while (machine.enabled() > 0) {
      if (machine.depth >= maxDepth) {
        bounds.add(`steps per execution: ${maxDepth}`);
        cut = true;
        break;
      }
      if (++sinceAsked >= STOP_INTERVAL) {
        sinceAsked = 0;
        stop = shouldStop?.();
        if (stop !== undefined) break;
      }
      const step = strategy.pick(machine.steps);
      if (step === ABANDON) {
        counts.abandoned++;
        cut = true;
        break;
      }
      machine.step(step);
      counts.steps++;
      const event = machine.depth - 1;
      strategy.observe(event);
      for (const follower of followers) follower.observe(event);
    }
    if (stop !== undefined) {
      bounds.add(stop);
      strategy.endExecution();
      break;
    }
    if (!cut) {
      const outcome = machine.outcome;
      onExecution?.(machine, outcome);
      if (outcome === 'complete') counts.complete++;
      else if (outcome === 'blocked') counts.blocked++;
      else if (outcome === 'limit') bounds.add(`machine: ${machine.bound}`);
      else errors.push({ error: errorOf(machine), schedule: scheduleOf(machine) });
    }
    strategy.endExecution();
    if (errors.length > 0 && !keepGoing) {
      bounds.add('first error');
      break;
    }
  }
  if (strategy.incomplete !== undefined) bounds.add(strategy.incomplete);
  return {
    executions: counts.complete + errors.length,
    blocked: counts.blocked,
    abandoned: counts.abandoned,
    steps: counts.steps,
    errors,
    bounds: [...bounds],
  };
}

function errorOf(machine: Machine): ProgramError {
  return machine.error ?? { kind: 'deadlock', message: `deadlock: ${machine.describeWaits()}` };
}

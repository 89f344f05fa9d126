/** One execution of a hunt. */
import type { Machine } from '../../machine/machine.ts';
import type { Bound } from '../bound.ts';
import { explore, type FoundError } from '../explore.ts';
import type { Strategy } from '../strategy.ts';
import type { Judge } from '../tally.ts';
import { Waker } from '../wake.ts';

interface Run {
  readonly error: FoundError | undefined;
  readonly steps: number;
  /** What cut it short, if anything. */
  readonly bound: Bound | undefined;
}

/** Runs the strategy's one execution; the machine is left at its end. */
export function runOnce(machine: Machine, strategy: Strategy, maxSteps: number, judge: Judge | undefined): Run {
  const { errors, boundedBy, steps } = explore(machine, strategy, {
    followers: [new Waker(machine)],
    maxDepth: maxSteps,
    ...(judge === undefined ? {} : { judge }),
  });
  const [error] = errors;
  return {
    error,
    steps,
    bound: boundedBy.find((b) => b.kind !== 'first error' && b.kind !== strategy.incomplete?.kind),
  };
}

/** One execution of a hunt. */
import type { ProgramError } from '../../machine/error.ts';
import type { Machine } from '../../machine/machine.ts';
import { explore, type FoundError } from '../explore.ts';
import type { Strategy } from '../strategy.ts';
import { Waker } from '../wake.ts';

export interface Run {
  readonly error: FoundError | undefined;
  readonly steps: number;
  /** What cut it short, if something did. */
  readonly bound: string | undefined;
}

/** Runs the strategy's one execution; the machine is left at its end. */
export function runOnce(
  machine: Machine,
  strategy: Strategy,
  maxSteps: number,
  judge: ((machine: Machine) => ProgramError | undefined) | undefined,
): Run {
  const { errors, bounds, steps } = explore(machine, strategy, {
    followers: [new Waker(machine)],
    maxDepth: maxSteps,
    ...(judge === undefined ? {} : { judge }),
  });
  const [error] = errors;
  return { error, steps, bound: bounds.find((b) => b !== 'first error' && b !== strategy.incomplete) };
}

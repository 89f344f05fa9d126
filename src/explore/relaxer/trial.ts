/** One execution of a hunt. */
import type { ProgramError } from '../../machine/error.ts';
import type { Machine } from '../../machine/machine.ts';
import { drain, type Pieces } from '../../util/drain.ts';
import { Exploration, type FoundError } from '../explore.ts';
import type { Strategy } from '../strategy.ts';
import { Waker } from '../wake.ts';

export interface Run {
  readonly error: FoundError | undefined;
  readonly steps: number;
  /** What cut it short, if something did. */
  readonly bound: string | undefined;
}

/** Steps in a piece. */
const PIECE = 256;

/** Runs the strategy's one execution; the machine is left at its end. */
export function runOnce(
  machine: Machine,
  strategy: Strategy,
  maxSteps: number,
  judge: ((machine: Machine) => ProgramError | undefined) | undefined,
): Run {
  return drain(running(machine, strategy, maxSteps, judge));
}

/** The same, a piece at a time. */
export function* running(
  machine: Machine,
  strategy: Strategy,
  maxSteps: number,
  judge: ((machine: Machine) => ProgramError | undefined) | undefined,
): Pieces<Run> {
  const exploration = new Exploration(machine, strategy, {
    followers: [new Waker(machine)],
    maxDepth: maxSteps,
    ...(judge === undefined ? {} : { judge }),
  });
  while (!exploration.advance(PIECE)) yield PIECE;
  const { errors, bounds, steps } = exploration.result;
  const [error] = errors;
  return { error, steps, bound: bounds.find((b) => b !== 'first error' && b !== strategy.incomplete) };
}

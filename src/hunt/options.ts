/** What to ask of a hunt. */
import type { BiasOptions } from '../explore/relaxer/biased.ts';
import type { RelaxedModel } from '../explore/relaxer/predict.ts';
import type { MachineOptions } from '../machine/machine.ts';

export interface HuntOptions {
  readonly models: readonly RelaxedModel[];
  /** SC executions to predict from. */
  readonly runs: number;
  /** Per cycle. */
  readonly trials: number;
  /** Executions of a trial, [RELAXER]'s test script; fewer once one has had the cycle, if that is known to do harm. */
  readonly attempts: number;
  readonly seed: number;
  readonly cycleLength: number;
  readonly maxCycles: number;
  readonly maxSteps: number;
  readonly probability: number;
  /** In steps; without, the length of the longest SC run for stores and half of it for loads. */
  readonly storeDelay: number | undefined;
  readonly loadDelay: number | undefined;
  readonly barrierWait: boolean;
  /** Go on when SC is wrong already. */
  readonly keepGoing: boolean;
  readonly interpret: boolean;
  /** Asked now and then where one execution keeps us for long; whoever answers true stops the hunt right after. */
  readonly isLate?: () => boolean;
}

export const HUNT_DEFAULTS: Omit<HuntOptions, 'models'> = {
  runs: 100,
  trials: 30,
  attempts: 10,
  seed: 1,
  cycleLength: 4,
  maxCycles: 10_000,
  maxSteps: 20_000,
  probability: 0.5,
  storeDelay: undefined,
  loadDelay: undefined,
  barrierWait: true,
  keepGoing: false,
  interpret: false,
};

/** A cycle that so many trials have not confirmed is not tried any further. */
export const GIVE_UP = 10;

export function biasOf({ probability, storeDelay, loadDelay, barrierWait }: HuntOptions, longest: number): BiasOptions {
  const delay = storeDelay ?? longest;
  return { probability, storeDelay: delay, loadDelay: loadDelay ?? Math.ceil(delay / 2), barrierWait };
}

export function machineOptions({ interpret }: HuntOptions): MachineOptions {
  return { interpret, spin: true };
}

/** What the options of a hunt mean for its parts. */
import type { BiasOptions } from '../../explore/relaxer/biased.ts';
import type { MachineOptions } from '../../machine/machine.ts';
import type { HuntOptions } from '../../options/hunt.ts';

/** A cycle is abandoned after this many trials without confirmation. */
export const GIVE_UP = 10;

export function biasOf({ probability, storeDelay, loadDelay, barrierWait }: HuntOptions, longest: number): BiasOptions {
  const delay = storeDelay ?? longest;
  return { probability, storeDelay: delay, loadDelay: loadDelay ?? Math.ceil(delay / 2), barrierWait };
}

export function machineOptions({ interpret }: HuntOptions): MachineOptions {
  return { interpret, spin: true };
}

/** What the options of a hunt mean for its parts. */
import type { BiasOptions } from '../../explore/relaxer/biased.ts';
import type { MachineOptions } from '../../machine/machine.ts';
import { type Model, modelNamed } from '../../models/index.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import { Prng } from '../../util/prng.ts';

/** A cycle is abandoned after this many trials of a round without confirmation. */
const GIVE_UP = 10;

export function patienceOf({ asPublished }: HuntOptions): number {
  return asPublished ? Number.POSITIVE_INFINITY : GIVE_UP;
}

export function biasOf(options: HuntOptions, model: Model, longest: number): BiasOptions {
  const { probability, storeDelay = longest, loadDelay = Math.ceil(storeDelay / 2), asPublished } = options;
  // [RELAXER] Fig. 9: a late store is not needed where a later load can be stale.
  const barrierWait = options.barrierWait && !(asPublished && modelNamed(model).loadsMayBeStale);
  return { probability, storeDelay, loadDelay, barrierWait };
}

/** The generator for execution `number` of a round. It depends on nothing else, so executions can be skipped. */
export function prngOf({ seed }: HuntOptions, round: number, number: number): Prng {
  return new Prng(seed + round * ROUND, number);
}

/** Larger than the seeds that users choose, so that no round of one seed repeats a round of another. */
const ROUND = 0x10_0001;

export function machineOptions({ interpret }: Pick<HuntOptions, 'interpret'>): MachineOptions {
  return { interpret, spin: true, undone: false };
}

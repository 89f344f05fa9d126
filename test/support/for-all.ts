/** Properties of generated programs. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { collectGarbage } from './garbage.ts';
import { type SketchOptions, sketches } from './generate.ts';
import { printSketch, type Sketch } from './sketch.ts';
import { QUICK, samples } from './tier.ts';

/** All features of a sketch. */
export const everything: SketchOptions = { rmw: true, cas: true, fences: true, orders: true, branches: true };

/** The answer of a property if there was nothing to compare: the program was too large for the oracle. */
export const SKIPPED: unique symbol = Symbol('skipped');

/** In bytes: thousands of programs use thousands of machines, several for each. */
const LARGE = 1_500_000_000;
/** Check after this many samples: asking the system takes as long as a small sample. */
const LOOK_EVERY = 20;

export interface Samples<T> {
  readonly from: fc.Arbitrary<T>;
  /** The number for the push tier; the current tier decides the actual number. */
  readonly count: number;
  readonly print: (sample: T) => string;
  /** At least this share must have been compared, or the test is too weak. */
  readonly compared?: number;
}

/**
 * Checks a property on samples, and returns their number. A failure shows the seed and the shrunk sample as source
 * text; the property's `seed` is for its own random choices, and shrinks too.
 */
export function forAll<T>(
  { from, count, print, compared = 0.95 }: Samples<T>,
  property: (sample: T, seed: number) => unknown,
): number {
  const numRuns = samples(count);
  const printed = from.map((sample) => ({ sample, toString: () => `\n${print(sample)}\n` }));
  let skipped = 0;
  let tried = 0;
  fc.assert(
    fc.property(printed, fc.nat(), ({ sample }, seed) => {
      if (property(sample, seed) === SKIPPED) skipped++;
      if (++tried % LOOK_EVERY === 0) collectGarbage(LARGE);
    }),
    { numRuns },
  );
  // Of ten samples, chance may skip more.
  const share = QUICK ? compared / 2 : compared;
  expect(numRuns - skipped, 'samples compared').toBeGreaterThanOrEqual(Math.floor(share * numRuns));
  return numRuns;
}

/** The same for sketches. */
export function forAllSketches(
  options: SketchOptions,
  count: number,
  property: (sketch: Sketch, seed: number) => unknown,
  compared?: number,
): number {
  // A sketch needs at least one thread.
  const from = sketches(options).filter((sketch) => sketch.length > 0);
  return forAll({ from, count, print: printSketch, ...(compared === undefined ? {} : { compared }) }, property);
}

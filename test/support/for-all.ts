/** Properties of generated programs. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type SketchOptions, sketches } from './generate.ts';
import { printSketch, type Sketch } from './sketch.ts';
import { samples } from './tier.ts';

/** All that a sketch can have. */
export const everything: SketchOptions = { rmw: true, cas: true, fences: true, orders: true, branches: true };

/** What a property answers where there was nothing to compare with: the program was too large for the oracle. */
export const SKIPPED: unique symbol = Symbol('skipped');

export interface Samples<T> {
  readonly from: fc.Arbitrary<T>;
  /** How many every day; the tier decides how many it is now. */
  readonly count: number;
  readonly print: (sample: T) => string;
  /** At least this share must have been compared, or the test says too little. */
  readonly compared?: number;
}

/**
 * Checks a property on samples, and gives their number. A failure shows the seed and the sample, shrunk, as one would write
 * it; `seed` is another number for the property to be random with, and shrinks too.
 */
export function forAll<T>(
  { from, count, print, compared = 0.95 }: Samples<T>,
  property: (sample: T, seed: number) => unknown,
): number {
  const numRuns = samples(count);
  const printed = from.map((sample) => ({ sample, toString: () => `\n${print(sample)}\n` }));
  let skipped = 0;
  fc.assert(
    fc.property(printed, fc.nat(), ({ sample }, seed) => {
      if (property(sample, seed) === SKIPPED) skipped++;
    }),
    { numRuns },
  );
  expect(numRuns - skipped, 'samples compared').toBeGreaterThanOrEqual(compared * numRuns);
  return numRuns;
}

/** The same for sketches. */
export function forAllSketches(
  options: SketchOptions,
  count: number,
  property: (sketch: Sketch, seed: number) => unknown,
  compared?: number,
): number {
  // A program without threads is none.
  const from = sketches(options).filter((sketch) => sketch.length > 0);
  return forAll({ from, count, print: printSketch, ...(compared === undefined ? {} : { compared }) }, property);
}

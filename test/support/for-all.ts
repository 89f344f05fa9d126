/** Properties of generated sketches. */
import fc from 'fast-check';
import { type SketchOptions, sketches } from './generate.ts';
import { printSketch, type Sketch } from './sketch.ts';

/** All that a sketch can have. */
export const everything: SketchOptions = { rmw: true, cas: true, fences: true, orders: true, branches: true };

/**
 * Checks a property on `numRuns` sketches. A failure shows the seed and the program, shrunk, as one would write it;
 * `seed` is another number for the property to be random with, and shrinks too.
 */
export function forAllSketches(
  options: SketchOptions,
  numRuns: number,
  property: (sketch: Sketch, seed: number) => void,
): void {
  // A program without threads is none.
  const programs = sketches(options).filter((sketch) => sketch.length > 0);
  const printed = programs.map((sketch) => ({ sketch, toString: () => `\n${printSketch(sketch)}\n` }));
  fc.assert(
    fc.property(printed, fc.nat(), ({ sketch }, seed) => property(sketch, seed)),
    { numRuns },
  );
}

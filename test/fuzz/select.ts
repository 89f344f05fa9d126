/** Selects a few seeds whose programs have every pair of features often enough. */
import { chooseCovering } from '../support/covering.ts';
import type { Coverage } from './coverage.ts';
import { featuresOf, PAIRS } from './features.ts';
import { generate } from './generate.ts';

/**
 * Counts the pairs of the programs that ran, and chooses from the rest: a program that turns out to be too large is
 * replaced, and its replacement may lack some pairs.
 */
export function chooseSeeds(from: Iterable<number>, coverage: Coverage, perPair: number): readonly number[] {
  const counts = new Map(coverage.pairs);
  const lacking = PAIRS.map(([a, b]) => Math.max(0, perPair - counts.get(`${a} × ${b}`)!));
  const candidates = [...from].map((seed) => ({ sample: seed, contains: pairsWith(seed) }));
  return chooseCovering(candidates, lacking);
}

/** The pairs that the seed's first program has. */
function pairsWith(seed: number): readonly number[] {
  const features = featuresOf(generate(seed));
  const found: number[] = [];
  PAIRS.forEach(([a, b], i) => {
    if (features.has(a) && features.has(b)) found.push(i);
  });
  return found;
}

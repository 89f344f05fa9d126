/** Selects a few seeds whose programs have every pair of features often enough. */
import type { Coverage } from './coverage.ts';
import { featuresOf, PAIRS } from './features.ts';
import { generate } from './generate.ts';

interface Candidate {
  readonly seed: number;
  readonly pairs: readonly number[];
  gain: number;
}

/**
 * Repeatedly takes the seed whose program has the most missing pairs: those that fewer than `perPair` programs have,
 * among the ones already counted and the ones chosen here. A program that turns out to be too large is replaced, and
 * its replacement may lack some pairs: so count the programs that ran, and choose again from the rest.
 */
export function chooseSeeds(from: Iterable<number>, coverage: Coverage, perPair: number): readonly number[] {
  const counts = new Map(coverage.pairs);
  const lacking = PAIRS.map(([a, b]) => Math.max(0, perPair - counts.get(`${a} × ${b}`)!));
  // A gain computed earlier is an upper bound: the set of missing pairs only shrinks.
  const candidates = new Set(
    [...from].map((seed): Candidate => ({ seed, pairs: pairsWith(seed), gain: PAIRS.length })),
  );
  const chosen: number[] = [];
  for (;;) {
    let best: Candidate | undefined;
    for (const candidate of candidates) {
      if (best !== undefined && candidate.gain <= best.gain) continue;
      candidate.gain = candidate.pairs.filter((pair) => lacking[pair]! > 0).length;
      if (candidate.gain > (best?.gain ?? 0)) best = candidate;
    }
    if (best === undefined) return chosen;
    chosen.push(best.seed);
    candidates.delete(best);
    for (const pair of best.pairs) if (lacking[pair]! > 0) lacking[pair]!--;
  }
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

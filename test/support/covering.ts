/** Selects a few samples that contain everything often enough: for tests whose full set takes long. */

interface Candidate<T> {
  readonly sample: T;
  /** What it contains; each once. */
  readonly contains: readonly number[];
}

/**
 * Repeatedly takes the sample that contains most of what is still lacking; `lacking[i]` is how often `i` must still
 * occur. Of two equal ones, the earlier.
 */
export function chooseCovering<T>(from: Iterable<Candidate<T>>, lacking: readonly number[]): readonly T[] {
  const missing = [...lacking];
  // A gain computed earlier is an upper bound: the set of missing things only shrinks.
  const candidates = new Set([...from].map((candidate) => ({ ...candidate, gain: lacking.length })));
  const chosen: T[] = [];
  for (;;) {
    let best: (Candidate<T> & { gain: number }) | undefined;
    for (const candidate of candidates) {
      if (best !== undefined && candidate.gain <= best.gain) continue;
      candidate.gain = candidate.contains.filter((thing) => missing[thing]! > 0).length;
      if (candidate.gain > (best?.gain ?? 0)) best = candidate;
    }
    if (best === undefined) return chosen;
    chosen.push(best.sample);
    candidates.delete(best);
    for (const thing of best.contains) if (missing[thing]! > 0) missing[thing]!--;
  }
}

/** The same for samples that are described by words: each pair of words that occurs must occur this often, if it can. */
export function chooseEveryPair<T>(
  samples: readonly T[],
  wordsOf: (sample: T) => ReadonlySet<string>,
  times: number,
): readonly T[] {
  const numbers = new Map<string, number>();
  const candidates = samples.map((sample) => {
    const words = [...wordsOf(sample)].sort();
    const pairs = words.flatMap((a, i) => words.slice(i).map((b) => `${a} × ${b}`));
    const contains = pairs.map((pair) => {
      if (!numbers.has(pair)) numbers.set(pair, numbers.size);
      return numbers.get(pair)!;
    });
    return { sample, contains };
  });
  return chooseCovering(candidates, Array<number>(numbers.size).fill(times));
}

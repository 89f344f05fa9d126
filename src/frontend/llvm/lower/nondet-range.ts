/** The range of arbitrary numbers (`--nondet`). */

export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** The largest number of values that one step can choose among. */
const MOST = 2048n;

/** Reads `-1..3`; `undefined` if the text is not a range, or the range is too large. */
export function readRange(text: string): Range | undefined {
  const [, first, last] = /^(-?\d{1,19})\.\.(-?\d{1,19})$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [low, high] = [BigInt(first), BigInt(last)];
  return low <= high && high - low < MOST ? { low, high } : undefined;
}

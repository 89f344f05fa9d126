/** The range of arbitrary numbers (`--nondet`). */

export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** The most that one step can choose among. */
const MOST = 2048n;

/** `-1..3`, or `undefined` if it is no range, or too large a one. */
export function readRange(text: string): Range | undefined {
  const [, first, last] = /^(-?\d{1,19})\.\.(-?\d{1,19})$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [low, high] = [BigInt(first), BigInt(last)];
  return low <= high && high - low < MOST ? { low, high } : undefined;
}

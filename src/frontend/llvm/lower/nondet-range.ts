/** The range of arbitrary numbers (`--nondet`). */

export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** A choice among more values than this would not end. */
const MOST = 65_536n;

/** `-1..3`, or `undefined` if it is no range, or too large a one. */
export function readRange(text: string): Range | undefined {
  const [, first, last] = /^(-?\d{1,19})\.\.(-?\d{1,19})$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [low, high] = [BigInt(first), BigInt(last)];
  return low <= high && high - low < MOST ? { low, high } : undefined;
}

/**
 * Numbers of about 106 bits, as unevaluated sums of two doubles (Dekker, 1971). Uses only operations that IEEE 754
 * requires to be correctly rounded (+, ×, ÷, √), so results are the same on every machine and in every version of Node.
 * Valid between about 1e-150 and 1e150.
 */
export type Pair = readonly [high: number, low: number];

export const ONE: Pair = [1, 0];

/** For |a| ≥ |b|. */
function quickSum(a: number, b: number): Pair {
  const sum = a + b;
  return [sum, b - (sum - a)];
}

/** The sum of two doubles, exactly. */
export function sumOf(a: number, b: number): Pair {
  const sum = a + b;
  const part = sum - a;
  return [sum, a - (sum - part) + (b - part)];
}

/** Its upper 26 bits. */
function upper(a: number): number {
  const c = 134217729 * a;
  return c - (c - a);
}

/** The product of two doubles, exactly. */
export function productOf(a: number, b: number): Pair {
  const product = a * b;
  const [aHigh, bHigh] = [upper(a), upper(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  return [product, aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow];
}

export function add(a: Pair, b: Pair): Pair {
  const [high, low] = sumOf(a[0], b[0]);
  const [middle, rest] = sumOf(a[1], b[1]);
  const [first, second] = quickSum(high, low + middle);
  return quickSum(first, second + rest);
}

export function negate(a: Pair): Pair {
  return [-a[0], -a[1]];
}

export function subtract(a: Pair, b: Pair): Pair {
  return add(a, negate(b));
}

export function multiply(a: Pair, b: Pair): Pair {
  const [high, low] = productOf(a[0], b[0]);
  return quickSum(high, low + (a[0] * b[1] + a[1] * b[0]));
}

export function divide(a: Pair, b: Pair): Pair {
  const first = a[0] / b[0];
  const rest = subtract(a, multiply(b, [first, 0]));
  const second = rest[0] / b[0];
  const third = subtract(rest, multiply(b, [second, 0]))[0] / b[0];
  return add(quickSum(first, second), [third, 0]);
}

/** By a power of two, or any other factor that is exact. */
export function scale(a: Pair, factor: number): Pair {
  return [a[0] * factor, a[1] * factor];
}

export function squareRoot(a: Pair): Pair {
  if (a[0] === 0) return [0, 0];
  const root = Math.sqrt(a[0]);
  const rest = subtract(a, productOf(root, root));
  return quickSum(root, rest[0] / (2 * root));
}

/**
 * The elementary functions of <math.h>. JavaScript's own differ between versions of Node, so executions would differ
 * too; these do not. They compute with twice the precision and round at the end, so that nearly every result is the
 * double nearest to the true value.
 */
import type { ElementaryFunction } from '../../program/operators.ts';
import {
  add,
  divide,
  multiply,
  negate,
  ONE,
  type Pair,
  productOf,
  scale,
  squareRoot,
  subtract,
  sumOf,
} from './double-double.ts';

const LN2: Pair = [Math.LN2, 2.3190468138462996e-17];
const LN10: Pair = [Math.LN10, -2.1707562233822494e-16];
const PI: Pair = [Math.PI, 1.2246467991473532e-16];
const HALF_PI: Pair = scale(PI, 0.5);

/** Below this, adding the square of a number to 1 changes nothing. */
const TINY = 2 ** -30;

const round = ([high, low]: Pair): number => high + low;
const exactly = (x: number): Pair => [x, 0];

/** x·2^k, even if 2^k is not a double. */
function scaleByPower(x: number, k: number): number {
  const half = Math.trunc(k / 2);
  return x * 2 ** half * 2 ** (k - half);
}

// ---- exponentials

/** e^r - 1, for |r| < 0.4. */
function smallExpm1(r: Pair): Pair {
  let sum: Pair = ONE;
  for (let n = 25; n > 1; n--) sum = add(ONE, divide(multiply(r, sum), exactly(n)));
  return multiply(r, sum);
}

/** e^x as a pair and the power of two to scale it by. */
function expParts(x: Pair): { readonly parts: Pair; readonly power: number } {
  const power = Math.round(x[0] / LN2[0]);
  const rest = subtract(x, multiply(exactly(power), LN2));
  return { parts: add(ONE, smallExpm1(rest)), power };
}

function expOf(x: Pair): number {
  if (x[0] > 710) return Number.POSITIVE_INFINITY;
  if (x[0] < -746) return 0;
  const { parts, power } = expParts(x);
  return scaleByPower(round(parts), power);
}

/** e^x - 1, for |x| < 50. */
function expm1Of(x: Pair): Pair {
  if (Math.abs(x[0]) < 0.3) return smallExpm1(x);
  const { parts, power } = expParts(x);
  return subtract(scale(parts, 2 ** power), ONE);
}

function exp(x: number): number {
  return Number.isNaN(x) ? x : expOf(exactly(x));
}

function exp2(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 1025) return Number.POSITIVE_INFINITY;
  if (x < -1080) return 0;
  const power = Math.round(x);
  return scaleByPower(round(add(ONE, smallExpm1(multiply(exactly(x - power), LN2)))), power);
}

function expm1(x: number): number {
  if (Math.abs(x) < TINY * TINY) return x;
  if (x < -50) return -1;
  return x > 50 ? exp(x) : round(expm1Of(exactly(x)));
}

/** Half of e^x, for large x: e^x itself may overflow. */
function halfExp(x: number): number {
  return x > 711 ? Number.POSITIVE_INFINITY : expOf(subtract(exactly(x), LN2));
}

function sinh(x: number): number {
  if (Math.abs(x) < TINY) return x;
  if (!(Math.abs(x) < 22)) return Number.isNaN(x) ? x : Math.sign(x) * halfExp(Math.abs(x));
  const m = expm1Of(exactly(x));
  return round(scale(add(m, divide(m, add(m, ONE))), 0.5));
}

function cosh(x: number): number {
  if (!(Math.abs(x) < 22)) return Number.isNaN(x) ? x : halfExp(Math.abs(x));
  const e = add(ONE, expm1Of(exactly(x)));
  return round(scale(add(e, divide(ONE, e)), 0.5));
}

function tanh(x: number): number {
  if (Math.abs(x) < TINY) return x;
  if (!(Math.abs(x) < 22)) return Math.sign(x);
  const m = expm1Of(exactly(2 * x));
  return round(divide(m, add(m, exactly(2))));
}

// ---- logarithms

/** For a positive number. */
function logOf(x: Pair): Pair {
  let [m, k] = [x, 0];
  // Scale first into the range where powers of two are doubles, then between √½ and √2.
  if (m[0] < 2 ** -500) [m, k] = [scale(m, 2 ** 600), -600];
  if (m[0] > 2 ** 500) [m, k] = [scale(m, 2 ** -600), 600];
  const power = exponentOf(m[0] * Math.SQRT2);
  m = scale(m, 2 ** -power);
  k += power;
  const s = divide(subtract(m, ONE), add(m, ONE));
  return add(multiply(exactly(k), LN2), scale(atanhSeries(s), 2));
}

/** s + s³/3 + s⁵/5 + …, for |s| < 0.18. */
function atanhSeries(s: Pair): Pair {
  const square = multiply(s, s);
  let sum: Pair = [0, 0];
  for (let n = 45; n > 1; n -= 2) sum = multiply(square, add(sum, divide(ONE, exactly(n))));
  return multiply(s, add(ONE, sum));
}

/** For a positive normal number. */
function exponentOf(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return (view.getUint32(0) >>> 20) - 1023;
}

/** The logarithm, if it is finite; otherwise the special value. */
function logarithm(x: number, finite: (log: Pair) => Pair): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0)) return Number.NaN;
  return x === Number.POSITIVE_INFINITY ? x : round(finite(logOf(exactly(x))));
}

function log1p(x: number): number {
  if (Math.abs(x) < TINY * TINY) return x;
  if (!(x > -1 && x < 2 ** 60)) return logarithm(1 + x, (log) => log);
  return round(logOf(sumOf(1, x)));
}

function asinh(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return x;
  if (!(size < 2 ** 60)) return Number.isNaN(x) ? x : Math.sign(x) * logarithm(size, (log) => add(log, LN2));
  const root = squareRoot(add(ONE, productOf(x, x)));
  return Math.sign(x) * round(logOf(add(exactly(size), root)));
}

function acosh(x: number): number {
  if (!(x >= 1)) return Number.NaN;
  if (x > 2 ** 60) return logarithm(x, (log) => add(log, LN2));
  const root = squareRoot(multiply(sumOf(x, -1), sumOf(x, 1)));
  return round(logOf(add(exactly(x), root)));
}

function atanh(x: number): number {
  if (Math.abs(x) < TINY) return x;
  if (!(Math.abs(x) < 1)) return Math.abs(x) === 1 ? x * Number.POSITIVE_INFINITY : Number.NaN;
  return round(scale(logOf(divide(sumOf(1, x), sumOf(1, -x))), 0.5));
}

function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  return Math.sign(x) * expOf(divide(logOf(exactly(Math.abs(x))), exactly(3)));
}

// ---- angles

const BITS = 1300n;

/** arccot(n)·2^bits, slightly too small. */
function arccot(n: bigint, bits: bigint): bigint {
  let power = (1n << bits) / n;
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n, power /= -n * n) sum += power / k;
  return sum;
}

/** 2/π·2^BITS, by Machin's formula. */
const TWO_OVER_PI: bigint = (2n << (2n * BITS + 32n)) / (16n * arccot(5n, BITS + 32n) - 4n * arccot(239n, BITS + 32n));

/** A double as an integer times a power of two. */
function integerParts(x: number): { readonly mantissa: bigint; readonly exponent: number } {
  const exponent = exponentOf(Math.abs(x)) - 52;
  return { mantissa: BigInt(scaleByPower(x, -exponent)), exponent };
}

/** x minus the nearest multiple of π/2, and the number of that multiple modulo 4. */
function reduce(x: number): { readonly rest: Pair; readonly quadrant: number } {
  if (Math.abs(x) < 0.75) return { rest: exactly(x), quadrant: 0 };
  // In units of π/2, with 256 bits after the point.
  const { mantissa, exponent } = integerParts(x);
  const units = (mantissa * TWO_OVER_PI) >> (BITS - 256n - BigInt(exponent));
  const nearest = (units + (1n << 255n)) >> 256n;
  const beyond = units - (nearest << 256n);
  const high = Number(beyond);
  const rest = scale([high, Number(beyond - BigInt(high))], 2 ** -256);
  return { rest: multiply(rest, HALF_PI), quadrant: Number(nearest & 3n) };
}

/** 1 - x²/a(a+1) + …: with a = 2, sin(x)/x; with a = 1, cos(x); for |x| < 0.8. */
function alternating(x: Pair, a: number): Pair {
  const square = multiply(x, x);
  let sum: Pair = ONE;
  for (let n = 28 + a; n >= a; n -= 2) sum = subtract(ONE, divide(multiply(square, sum), exactly(n * (n + 1))));
  return sum;
}

const smallSin = (x: Pair): Pair => multiply(x, alternating(x, 2));
const smallCos = (x: Pair): Pair => alternating(x, 1);

function sin(x: number): number {
  if (Math.abs(x) < TINY) return x;
  return Number.isFinite(x) ? sineAhead(x, 0) : Number.NaN;
}

function cos(x: number): number {
  return Number.isFinite(x) ? sineAhead(x, 1) : Number.NaN;
}

/** The sine of x plus `quarters` quarter turns. */
function sineAhead(x: number, quarters: number): number {
  const { rest, quadrant } = reduce(x);
  const quarter = (quadrant + quarters) % 4;
  const value = round(quarter % 2 === 0 ? smallSin(rest) : smallCos(rest));
  return quarter < 2 ? value : -value;
}

function tan(x: number): number {
  if (Math.abs(x) < TINY) return x;
  if (!Number.isFinite(x)) return Number.NaN;
  const { rest, quadrant } = reduce(x);
  const [s, c] = [smallSin(rest), smallCos(rest)];
  return round(quadrant % 2 === 0 ? divide(s, c) : negate(divide(c, s)));
}

/** The angle of a point in the right half-plane or on the vertical axis. */
function angleOf(y: Pair, x: Pair): Pair {
  if (Math.abs(y[0]) > x[0]) {
    const rest = angleOf(x, y[0] < 0 ? negate(y) : y);
    return y[0] < 0 ? subtract(rest, HALF_PI) : subtract(HALF_PI, rest);
  }
  let t = divide(y, x);
  // Halve the angle three times.
  for (let i = 0; i < 3; i++) t = divide(t, add(ONE, squareRoot(add(ONE, multiply(t, t)))));
  const square = multiply(t, t);
  let sum: Pair = [0, 0];
  for (let n = 35; n > 1; n -= 2) sum = multiply(square, subtract(divide(ONE, exactly(n)), sum));
  return scale(multiply(t, subtract(ONE, sum)), 8);
}

function atan(x: number): number {
  if (Math.abs(x) < TINY) return x;
  if (!(Math.abs(x) < 2 ** 60)) return Math.sign(x) * HALF_PI[0];
  return round(angleOf(exactly(x), ONE));
}

/** √(1 - x²) */
const otherSide = (x: number): Pair => squareRoot(multiply(sumOf(1, -x), sumOf(1, x)));

function asin(x: number): number {
  if (Math.abs(x) < TINY) return x;
  return Math.abs(x) <= 1 ? round(angleOf(exactly(x), otherSide(x))) : Number.NaN;
}

function acos(x: number): number {
  if (!(Math.abs(x) <= 1)) return Number.NaN;
  const angle = angleOf(otherSide(x), exactly(Math.abs(x)));
  return round(x < 0 ? subtract(PI, angle) : angle);
}

export const elementary: Readonly<Record<ElementaryFunction, (x: number) => number>> = {
  fexp: exp,
  fexp2: exp2,
  fexpm1: expm1,
  flog: (x) => logarithm(x, (log) => log),
  flog2: (x) => logarithm(x, (log) => divide(log, LN2)),
  flog10: (x) => logarithm(x, (log) => divide(log, LN10)),
  flog1p: log1p,
  fsin: sin,
  fcos: cos,
  ftan: tan,
  fasin: asin,
  facos: acos,
  fatan: atan,
  fsinh: sinh,
  fcosh: cosh,
  ftanh: tanh,
  fasinh: asinh,
  facosh: acosh,
  fatanh: atanh,
  fcbrt: cbrt,
};

/**
 * Doubles as C prints them: rounded from the exact value, ties to even. JavaScript's own `toFixed` and `toExponential`
 * round ties up.
 */

/** A finite, non-negative double as an exact fraction. */
function fraction(value: number): [bigint, bigint] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = bits & ((1n << 52n) - 1n);
  const whole = exponent === 0 ? mantissa : mantissa | (1n << 52n);
  const shift = Math.max(exponent, 1) - 1075;
  return shift >= 0 ? [whole << BigInt(shift), 1n] : [whole, 1n << BigInt(-shift)];
}

function roundToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

/** value × 10^power, rounded. */
function scaled(value: number, power: number): bigint {
  const [numerator, denominator] = fraction(value);
  const factor = 10n ** BigInt(Math.abs(power));
  return power >= 0 ? roundToEven(numerator * factor, denominator) : roundToEven(numerator, denominator * factor);
}

function fixed(value: number, digits: number): string {
  const text = String(scaled(value, digits)).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function exponential(value: number, digits: number): { text: string; exponent: number } {
  let exponent = value === 0 ? 0 : Math.floor(Math.log10(value));
  let rounded = scaled(value, digits - exponent);
  // The logarithm is only approximate, and rounding may carry into a new digit.
  const limit = 10n ** BigInt(digits);
  if (value !== 0 && rounded < limit) rounded = scaled(value, digits - --exponent);
  if (rounded >= limit * 10n) rounded = scaled(value, digits - ++exponent);
  const text = String(rounded).padStart(digits + 1, '0');
  const mantissa = digits === 0 ? text : `${text[0]}.${text.slice(1)}`;
  const sign = exponent < 0 ? '-' : '+';
  return { text: `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`, exponent };
}

/**
 * With `digits` after the point, or as many as needed. A subnormal number has the exponent of the smallest normal one.
 */
function hexadecimal(value: number, digits: number | undefined, keepPoint: boolean): string {
  const [numerator, denominator] = fraction(value);
  const exponent = value === 0 ? 0 : Math.max(-1022, numerator.toString(2).length - denominator.toString(2).length);
  const shift = BigInt(4 * (digits ?? 13) - exponent);
  const scaled = shift >= 0n ? [numerator << shift, denominator] : [numerator, denominator << -shift];
  const text = roundToEven(scaled[0]!, scaled[1]!)
    .toString(16)
    .padStart((digits ?? 13) + 1, '0');
  const [first, all] = digits === 0 ? [text, ''] : [text.slice(0, -(digits ?? 13)), text.slice(-(digits ?? 13))];
  const rest = digits === undefined ? all.replace(/0+$/, '') : all;
  return `0x${first}${rest !== '' || keepPoint ? '.' : ''}${rest}p${exponent < 0 ? '' : '+'}${exponent}`;
}

/** No double has more digits after the point, or in total, that are not 0. */
const MOST_DIGITS = 1100;

/** A non-negative value, with conversion `f`, `e`, `g` or `a` (or its capital); `keepZeros` is the flag `#`. */
export function formatDouble(
  value: number,
  conversion: string,
  digits: number | undefined,
  keepZeros: boolean,
): string {
  if (!Number.isFinite(value)) return capital(Number.isNaN(value) ? 'nan' : 'inf', conversion);
  const kind = conversion.toLowerCase();
  if (digits !== undefined && digits > MOST_DIGITS) {
    const text = formatDouble(value, conversion, MOST_DIGITS, keepZeros);
    if (kind === 'g' && !keepZeros) return text;
    return text.replace(kind === 'a' ? /(?=p|$)/i : /(?=e|$)/i, '0'.repeat(digits - MOST_DIGITS));
  }
  if (kind === 'a') return capital(hexadecimal(value, digits, keepZeros), conversion);
  return capital(formatFinite(value, kind, digits ?? 6, keepZeros), conversion);
}

function formatFinite(value: number, conversion: string, digits: number, keepZeros: boolean): string {
  const withPoint = (text: string): string => (!keepZeros || text.includes('.') ? text : text.replace(/(?=e|$)/, '.'));
  if (conversion === 'f') return withPoint(fixed(value, digits));
  if (conversion === 'e') return withPoint(exponential(value, digits).text);
  const precision = Math.max(1, digits);
  const { text, exponent } = exponential(value, precision - 1);
  const isShort = exponent >= -4 && exponent < precision;
  const all = isShort ? fixed(value, precision - 1 - exponent) : text;
  if (keepZeros || !all.includes('.')) return withPoint(all);
  const [mantissa, power] = all.split('e') as [string, string?];
  return mantissa.replace(/\.?0+$/, '') + (power === undefined ? '' : `e${power}`);
}

function capital(text: string, conversion: string): string {
  return conversion === conversion.toUpperCase() ? text.toUpperCase() : text;
}

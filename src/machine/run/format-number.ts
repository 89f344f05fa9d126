/** The text of one number as `printf` shows it: sign, prefix, digits, and zeros up to the precision and the width. */
import { formatDouble } from './format-double.ts';

/** Flags, as the library has them (lib/format.c). */
const LEFT = 1;
const PLUS = 2;
const SPACE = 4;
const ALTERNATIVE = 8;
const ZERO = 16;

interface NumberFormat {
  /** The letter of the conversion. */
  readonly kind: string;
  readonly flags: number;
  /** With the flag `0`, zeros fill the number up to this width. The caller adds spaces. */
  readonly width: number;
  /** Negative if there is none. */
  readonly precision: number;
}

/** Formats a number of 64 bits, given as two words. `undefined` if `kind` does not convert numbers. */
export function formatNumber(format: NumberFormat, low: number, high: number): string | undefined {
  const { kind, flags, width, precision } = format;
  const isFloat = 'fFeEgGaA'.includes(kind);
  const text = isFloat ? floating(format, low, high) : integer(format, low, high);
  if (text === undefined) return undefined;
  const isFilled = (flags & (ZERO | LEFT)) === ZERO && (isFloat || precision < 0) && !/inf|nan|nil/i.test(text);
  if (!isFilled || text.length >= width) return text;
  const sign = /^[-+ ]?(?:0[xX])?/.exec(text)![0];
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function integer({ kind, flags, precision }: NumberFormat, low: number, high: number): string | undefined {
  const isAlternative = (flags & ALTERNATIVE) !== 0;
  const isZero = (low | high) === 0;
  switch (kind) {
    case 'd':
    case 'i': {
      if (high >= 0) return sign(flags, false) + digits(low, high, 10, precision);
      return sign(flags, true) + digits(-low | 0, low === 0 ? -high | 0 : ~high, 10, precision);
    }
    case 'u':
      return digits(low, high, 10, precision);
    case 'o': {
      const text = digits(low, high, 8, precision);
      return isAlternative && !text.startsWith('0') ? `0${text}` : text;
    }
    case 'x':
      return (isAlternative && !isZero ? '0x' : '') + digits(low, high, 16, precision);
    case 'X':
      return (isAlternative && !isZero ? '0X' : '') + digits(low, high, 16, precision).toUpperCase();
    case 'p':
      return isZero ? '(nil)' : `0x${digits(low, high, 16, precision)}`;
    default:
      return undefined;
  }
}

/** The digits of an unsigned number, at least `precision` of them; with precision 0, zero has none. */
function digits(low: number, high: number, base: number, precision: number): string {
  if (precision === 0 && (low | high) === 0) return '';
  const text =
    high === 0 ? (low >>> 0).toString(base) : ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString(base);
  return text.padStart(precision, '0');
}

function floating({ kind, flags, precision }: NumberFormat, low: number, high: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(0, high);
  view.setInt32(4, low);
  const value = Math.abs(view.getFloat64(0));
  // The sign is a bit, even for -0 and NaN.
  const text = formatDouble(value, kind, precision < 0 ? undefined : precision, (flags & ALTERNATIVE) !== 0);
  return sign(flags, high < 0) + text;
}

function sign(flags: number, isNegative: boolean): string {
  return isNegative ? '-' : (flags & PLUS) !== 0 ? '+' : (flags & SPACE) !== 0 ? ' ' : '';
}

/**
 * Decodes float constants: decimal, or `0x` and the bits. A `float` is written as the bits of the `double` with the
 * same value; longer and shorter formats have a letter after `0x`. Formats longer than `double` are rounded towards
 * zero: we do not compute with them.
 */
import type { LType } from './module.ts';

/** `undefined` if the text is not a float constant. */
export function decodeFloat(text: string): number | undefined {
  if (!text.startsWith('0x')) {
    const value = Number(text);
    return Number.isNaN(value) ? undefined : value;
  }
  const letter = 'KLMHR'.includes(text.charAt(2)) ? text.charAt(2) : '';
  const digits = text.slice(2 + letter.length);
  if (!/^[0-9A-Fa-f]{1,32}$/.test(digits)) return undefined;
  const bits = BigInt(`0x${digits}`);
  switch (letter) {
    case 'K':
      return decodeBits(bits, 15, 64, true);
    case 'L':
      // fp128: the low 64 bits come first.
      return decodeBits(swapHalves(digits), 15, 112, false);
    case 'M':
      // ppc_fp128: a sum of two doubles; the first is the rounded value.
      return decodeBits(swapHalves(digits) & 0xffff_ffff_ffff_ffffn, 11, 52, false);
    case 'H':
      return decodeBits(bits, 5, 10, false);
    case 'R':
      return decodeBits(bits, 8, 7, false);
    default:
      return decodeBits(bits, 11, 52, false);
  }
}

export function isFloat(type: LType): boolean {
  switch (type.kind) {
    case 'float':
    case 'double':
    case 'half':
    case 'fp128':
    case 'x86_fp80':
      return true;
    case 'other':
      return type.text === 'bfloat' || type.text === 'ppc_fp128';
    default:
      return false;
  }
}

function swapHalves(digits: string): bigint {
  const padded = digits.padStart(32, '0');
  return BigInt(`0x${padded.slice(16)}${padded.slice(0, 16)}`);
}

/** `explicitOne`: the fraction of x86_fp80 includes the digit before the point. */
function decodeBits(bits: bigint, exponentBits: number, fractionBits: number, explicitOne: boolean): number {
  const width = BigInt(fractionBits);
  const sign = (bits >> (width + BigInt(exponentBits))) & 1n ? -1 : 1;
  const exponent = Number((bits >> width) & ((1n << BigInt(exponentBits)) - 1n));
  const pointAt = explicitOne ? width - 1n : width;
  const fraction = bits & ((1n << pointAt) - 1n);
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 * bias + 1) return fraction === 0n ? sign * Infinity : NaN;
  const leading = exponent === 0 ? 0n : 1n << pointAt;
  const significand = leading | fraction;
  // At most 53 bits, so the conversion is exact; two factors, so neither overflows.
  const excess = significand.toString(2).length - 53;
  const kept = excess > 0 ? significand >> BigInt(excess) : significand;
  const power = Math.max(exponent, 1) - bias - Number(pointAt) + Math.max(excess, 0);
  const half = Math.trunc(power / 2);
  return sign * Number(kept) * 2 ** half * 2 ** (power - half);
}

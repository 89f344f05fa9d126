/**
 * Values with undefined bits, by three-valued logic, one bit at a time. This is as simple as possible: the tool
 * computes the same from whole words.
 */
import { type Operator, unknown } from '../ast.ts';

export interface Masked {
  readonly value: bigint;
  /** Which of its bits are undefined. */
  readonly mask: bigint;
}

export const BITS = 64;

type Bit = 0 | 1 | '?';

function bitOf({ value, mask }: Masked, i: number): Bit {
  if (((mask >> BigInt(i)) & 1n) === 1n) return '?';
  return ((value >> BigInt(i)) & 1n) === 1n ? 1 : 0;
}

function not(a: Bit): Bit {
  return a === '?' ? '?' : a === 0 ? 1 : 0;
}

function and(a: Bit, b: Bit): Bit {
  if (a === 0 || b === 0) return 0;
  return a === '?' || b === '?' ? '?' : 1;
}

function or(a: Bit, b: Bit): Bit {
  return not(and(not(a), not(b)));
}

function xor(a: Bit, b: Bit): Bit {
  if (a === '?' || b === '?') return '?';
  return a === b ? 0 : 1;
}

/** The mask of a result whose bit `i` is `bit(i)`. */
function maskOf(bit: (i: number) => Bit): bigint {
  let mask = 0n;
  for (let i = 0; i < BITS; i++) if (bit(i) === '?') mask |= 1n << BigInt(i);
  return mask;
}

/** The mask of a sum; with `negates`, of a difference. */
export function maskOfSum(a: Masked, b: Masked, negates: boolean = false): bigint {
  let carry: Bit = negates ? 1 : 0;
  return maskOf((i) => {
    const x = bitOf(a, i);
    const y = negates ? not(bitOf(b, i)) : bitOf(b, i);
    const sum = xor(xor(x, y), carry);
    carry = or(or(and(x, y), and(x, carry)), and(y, carry));
    return sum;
  });
}

/** The mask of an operator's result from an old value and an operand. */
export function maskOfResult(operator: Operator, old: Masked, operand: Masked): bigint {
  if (old.mask === 0n && operand.mask === 0n) return 0n;
  switch (operator) {
    case 'xchg':
      return operand.mask;
    case 'add':
      return maskOfSum(old, operand);
    case 'sub':
      return maskOfSum(old, operand, true);
    case 'and':
      return maskOf((i) => and(bitOf(old, i), bitOf(operand, i)));
    case 'or':
      return maskOf((i) => or(bitOf(old, i), bitOf(operand, i)));
    case 'xor':
      return maskOf((i) => xor(bitOf(old, i), bitOf(operand, i)));
    default:
      return unknown(operator);
  }
}

/** Whether two values are equal; `undefined` if that depends on undefined bits. */
export function areEqual(a: Masked, b: Masked): boolean | undefined {
  let isKnown = true;
  for (let i = 0; i < BITS; i++) {
    const differ = xor(bitOf(a, i), bitOf(b, i));
    if (differ === 1) return false;
    if (differ === '?') isKnown = false;
  }
  return isKnown ? true : undefined;
}

/**
 * The same for a compare-exchange: if both values have a defined byte, bits that are undefined in both, as in a copy,
 * are equal if they have the same value.
 */
export function areExchanged(old: Masked, expected: Masked, size: number): boolean | undefined {
  const bytes = Array.from({ length: size }, (_, i) => BigInt(8 * i));
  const hasDefined = ({ mask }: Masked): boolean => bytes.some((i) => ((mask >> i) & 0xffn) === 0n);
  if (!hasDefined(old) || !hasDefined(expected)) return areEqual(old, expected);
  const isShared = (i: number): boolean => {
    const at = (of: bigint): bigint => (of >> BigInt(i)) & 1n;
    return at(old.mask) === 1n && at(expected.mask) === 1n && at(old.value) === at(expected.value);
  };
  const without = ({ value, mask }: Masked): Masked => ({
    value,
    mask: maskOf((i) => (((mask >> BigInt(i)) & 1n) === 1n && !isShared(i) ? '?' : 0)),
  });
  return areEqual(without(old), without(expected));
}

/**
 * A product is undefined from its lowest undefined bit on, as in the tool: which bits really vary is hard to determine.
 */
export function maskOfProduct(mask: bigint): bigint {
  let isUndefined = false;
  return maskOf((i) => {
    isUndefined ||= ((mask >> BigInt(i)) & 1n) === 1n;
    return isUndefined ? '?' : 0;
  });
}

/**
 * Which bits of a result are undefined, given those of the operands. Values and bits are unsigned, of `bits` bits. As
 * in MemorySanitizer (Stepanov and Serebryany, CGO 2015), but exact for the operations that bit-fields need.
 *
 * In sums and differences, those bits are undefined that change with the undefined bits of the operands, by the least
 * and the greatest carry.
 *
 * Direction of error: a bit may count as undefined although every value of the operands gives the same one (a product,
 * a difference of equal operands). Using it is then an error although nothing depends on the value.
 */
import type { BinaryOperator, Predicate, RmwOperator } from '../../program/operators.ts';

export interface Operand {
  readonly value: bigint;
  readonly undefined: bigint;
}

export function allBits(bits: number): bigint {
  return (1n << BigInt(bits)) - 1n;
}

/** The lowest of these bits and all above it. */
function upwards(of: bigint, bits: number): bigint {
  return (of | -of) & allBits(bits);
}

export function undefinedByBinary(
  operator: BinaryOperator | RmwOperator,
  bits: number,
  left: Operand,
  right: Operand,
): bigint {
  const either = left.undefined | right.undefined;
  if (either === 0n) return 0n;
  const all = allBits(bits);
  switch (operator) {
    case 'and':
    case 'nand':
      // A defined 0 decides.
      return either & (left.value | left.undefined) & (right.value | right.undefined);
    case 'or':
      // A defined 1 decides.
      return either & ~(left.value & ~left.undefined) & ~(right.value & ~right.undefined) & all;
    case 'xor':
      return either;
    case 'differ':
      return either & ~shared(left, right);
    case 'xchg':
      return right.undefined;
    case 'add':
      return undefinedBySum(left, right, 0n) & all;
    case 'sub':
      return undefinedBySum(left, { value: ~right.value & all, undefined: right.undefined }, 1n) & all;
    case 'mul':
      return upwards(either, bits);
    case 'shl':
    case 'lshr':
    case 'ashr':
      return right.undefined !== 0n ? all : shifted(operator, bits, left.undefined, right.value);
    default:
      return all;
  }
}

/** Bits that are undefined in both, and may be those of a copy. */
function shared(left: Operand, right: Operand): bigint {
  return left.undefined & right.undefined & ~(left.value ^ right.value);
}

/**
 * Whether the outcome of a compare-exchange depends on undefined bits. The expected value is mostly a copy of what was
 * there, with the same padding. So if both have a defined byte, bits that are undefined in both count as equal: may
 * miss a comparison of the padding of two different objects.
 */
export function exchangeDependsOnUndefined(bits: number, old: Operand, expected: Operand): boolean {
  const common = hasDefinedByte(old, bits) && hasDefinedByte(expected, bits) ? shared(old, expected) : 0n;
  const without = (a: Operand): Operand => ({ value: a.value, undefined: a.undefined & ~common });
  return dependsOnUndefined('eq', bits, without(old), without(expected));
}

function hasDefinedByte({ undefined: of }: Operand, bits: number): boolean {
  for (let i = 0; i < bits; i += 8) if (((of >> BigInt(i)) & 0xffn) === 0n) return true;
  return false;
}

/** For a choice between two values by an undefined condition. */
export function undefinedByChoice(ifTrue: Operand, ifFalse: Operand): bigint {
  return ifTrue.undefined | ifFalse.undefined | (ifTrue.value ^ ifFalse.value);
}

/** Bits that are undefined themselves, or have a carry that is. */
function undefinedBySum(left: Operand, right: Operand, carry: bigint): bigint {
  const [least, greatest] = [
    (a: Operand): bigint => a.value & ~a.undefined,
    (a: Operand): bigint => a.value | a.undefined,
  ].map((of) => (of(left) + of(right) + carry) ^ of(left) ^ of(right)) as [bigint, bigint];
  return left.undefined | right.undefined | (least ^ greatest);
}

function shifted(operator: 'shl' | 'lshr' | 'ashr', bits: number, of: bigint, by: bigint): bigint {
  if (by >= BigInt(bits)) return allBits(bits);
  if (operator === 'shl') return (of << by) & allBits(bits);
  return operator === 'lshr' ? of >> by : BigInt.asUintN(bits, BigInt.asIntN(bits, of) >> by);
}

/** Whether the result of a comparison depends on undefined bits. */
export function dependsOnUndefined(predicate: Predicate, bits: number, left: Operand, right: Operand): boolean {
  const either = left.undefined | right.undefined;
  if (either === 0n) return false;
  switch (predicate) {
    case 'eq':
    case 'ne':
      // A defined difference decides.
      return ((left.value ^ right.value) & ~either & allBits(bits)) === 0n;
    case 'ult':
    case 'ule':
    case 'ugt':
    case 'uge':
      return overlap(
        range(left, false, bits),
        range(right, false, bits),
        predicate.endsWith('e') !== predicate.startsWith('ug'),
      );
    case 'slt':
    case 'sle':
    case 'sgt':
    case 'sge':
      return overlap(
        range(left, true, bits),
        range(right, true, bits),
        predicate.endsWith('e') !== predicate.startsWith('sg'),
      );
    default:
      return true;
  }
}

type Range = readonly [least: bigint, greatest: bigint];

function range({ value, undefined: of }: Operand, signed: boolean, bits: number): Range {
  if (!signed) return [value & ~of, value | of];
  const sign = 1n << BigInt(bits - 1);
  const rest = of & ~sign;
  const [low, high] = [value & ~rest, value | rest];
  const number = (n: bigint): bigint => BigInt.asIntN(bits, n);
  return (of & sign) === 0n ? [number(low), number(high)] : [number(low | sign), number(high & ~sign)];
}

/** Whether `left < right` (or `<=`) may hold and may fail. */
function overlap(left: Range, right: Range, orEqual: boolean): boolean {
  const always = orEqual ? left[1] <= right[0] : left[1] < right[0];
  const sometimes = orEqual ? left[0] <= right[1] : left[0] < right[1];
  return always !== sometimes;
}

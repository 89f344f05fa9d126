/**
 * 128-bit integers (`__int128`), as two `i64`: the low half, then the high one. In memory they are accessed in halves,
 * as on real machines; atomic accesses are in `wide-atomics.ts`.
 */
import { constant, type FunctionBuilder, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import type { Predicate } from '../../../program/operators.ts';
import type { LType } from '../ir/module.ts';

/** Low and high half. */
export type Halves = readonly [low: Operand, high: Operand];

export type Division = 'udiv' | 'sdiv' | 'urem' | 'srem';

/** Defined in our library. */
export const DIVIDE_WIDE = '__fencepost_divide_wide';

/** Whether a text of IR divides 128-bit integers; false positives are harmless. */
export function dividesWide(ir: string): boolean {
  return /\b[us](?:div|rem) (?:exact )?i128 /.test(ir);
}

export function isDivision(operator: string): operator is Division {
  return operator === 'udiv' || operator === 'sdiv' || operator === 'urem' || operator === 'srem';
}

const ZERO = constant('i64', 0n);
const SMALLEST = constant('i64', -(1n << 63n));

export function isWide(type: LType): boolean {
  return type.kind === 'int' && type.bits === 128;
}

export function wideConstant(value: bigint): Halves {
  return [constant('i64', BigInt.asIntN(64, value)), constant('i64', BigInt.asIntN(64, value >> 64n))];
}

/** Computes on halves; every method returns new registers. */
export class WideIntegers {
  private readonly builder: FunctionBuilder;

  constructor(builder: FunctionBuilder) {
    this.builder = builder;
  }

  /** The result, or `undefined` for an operator that is not supported. */
  binary(operator: string, a: Halves, b: Halves): Halves | undefined {
    switch (operator) {
      case 'and':
      case 'or':
      case 'xor':
        return [this.i64(operator, a[0], b[0]), this.i64(operator, a[1], b[1])];
      case 'add': {
        const low = this.i64('add', a[0], b[0]);
        return [low, this.i64('add', this.i64('add', a[1], b[1]), this.bit('ult', low, a[0]))];
      }
      case 'sub':
        return this.subtract(a, b);
      case 'mul':
        return this.multiply(a, b);
      case 'shl':
      case 'lshr':
      case 'ashr':
        return this.shift(operator, a, b[0]);
      default:
        return undefined;
    }
  }

  compare(predicate: string, dest: Dest, a: Halves, b: Halves): void {
    const { builder } = this;
    if (predicate === 'eq' || predicate === 'ne') {
      const difference = this.i64('or', this.i64('xor', a[0], b[0]), this.i64('xor', a[1], b[1]));
      return builder.compare(predicate, dest, difference, ZERO);
    }
    // If the high halves differ, they decide, signed where the predicate is; the low halves are compared unsigned.
    const isSame = this.test('eq', a[1], b[1]);
    const low = this.test(`u${predicate.slice(1)}` as Predicate, a[0], b[0]);
    const high = this.test(predicate as Predicate, a[1], b[1]);
    builder.select(dest, isSame, low, high);
  }

  /**
   * Computes both halves of the result. `divide` is unsigned; signs are handled as in C, which rounds quotients towards
   * zero.
   */
  divide(operator: Division, a: Halves, b: Halves, divide: (a: Halves, b: Halves, isHigh: boolean) => Operand): Halves {
    this.divides(b);
    const halves = (x: Halves, y: Halves): Halves => [divide(x, y, false), divide(x, y, true)];
    if (operator === 'udiv' || operator === 'urem') return halves(a, b);
    const [signA, signB] = [this.sign(a), this.sign(b)];
    this.fits(a, b);
    const result = halves(this.negatedIf(signA, a), this.negatedIf(signB, b));
    return this.negatedIf(operator === 'srem' ? signA : this.i64('xor', signA, signB), result);
  }

  /** Reports an error if the divisor is zero, like a 64-bit division. */
  private divides([low, high]: Halves): void {
    const dest = this.builder.register('', 'i64');
    this.builder.binary('udiv', dest, constant('i64', 1n), this.i64('or', low, high));
  }

  /** Reports an error for the smallest integer divided by -1, like a 64-bit division. */
  private fits(a: Halves, b: Halves): void {
    const isSmallest = this.test('eq', this.i64('or', a[0], this.i64('xor', a[1], SMALLEST)), ZERO);
    const dest = this.builder.register('', 'i64');
    const divisor = this.choose(isSmallest, this.i64('and', b[0], b[1]), constant('i64', 1n));
    this.builder.binary('sdiv', dest, SMALLEST, this.i64('or', divisor, this.bit('eq', divisor, ZERO)));
  }

  /** The sign in every bit. */
  private sign([, high]: Halves): Operand {
    return this.i64('ashr', high, constant('i64', 63n));
  }

  private negatedIf(sign: Operand, [low, high]: Halves): Halves {
    return this.subtract([this.i64('xor', low, sign), this.i64('xor', high, sign)], [sign, sign]);
  }

  /** Extends an `i64`. */
  extend(operator: 'zext' | 'sext', low: Operand): Halves {
    return [low, operator === 'zext' ? ZERO : this.i64('ashr', low, constant('i64', 63n))];
  }

  private subtract(a: Halves, b: Halves): Halves {
    const borrow = this.bit('ult', a[0], b[0]);
    return [this.i64('sub', a[0], b[0]), this.i64('sub', this.i64('sub', a[1], b[1]), borrow)];
  }

  /**
   * Modulo 2^128: the 128-bit product of the low halves, computed in 32-bit pieces, plus the cross products in the high
   * half.
   */
  private multiply(a: Halves, b: Halves): Halves {
    const mask = constant('i64', 0xffffffffn);
    const half = constant('i64', 32n);
    const [a0, a1] = [this.i64('and', a[0], mask), this.i64('lshr', a[0], half)];
    const [b0, b1] = [this.i64('and', b[0], mask), this.i64('lshr', b[0], half)];
    const low = this.i64('mul', a0, b0);
    const middle = this.i64('add', this.i64('mul', a1, b0), this.i64('lshr', low, half));
    const other = this.i64('add', this.i64('mul', a0, b1), this.i64('and', middle, mask));
    const top = this.i64('add', this.i64('mul', a1, b1), this.i64('lshr', middle, half));
    const carried = this.i64('add', top, this.i64('lshr', other, half));
    const crosswise = this.i64('add', this.i64('mul', a[0], b[1]), this.i64('mul', a[1], b[0]));
    return [this.i64('mul', a[0], b[0]), this.i64('add', carried, crosswise)];
  }

  /** Shifts by less than 128; larger counts are undefined in C. */
  private shift(operator: 'shl' | 'lshr' | 'ashr', [low, high]: Halves, by: Operand): Halves {
    const count = this.i64('and', by, constant('i64', 63n));
    const isZero = this.test('eq', count, ZERO);
    const isFar = this.test('ne', this.i64('and', by, constant('i64', 64n)), ZERO);
    const rest = this.i64('sub', constant('i64', 64n), count);
    if (operator === 'shl') {
      const carried = this.choose(isZero, ZERO, this.i64('lshr', low, rest));
      const near = this.i64('or', this.i64('shl', high, count), carried);
      const moved = this.i64('shl', low, count);
      return [this.choose(isFar, ZERO, moved), this.choose(isFar, moved, near)];
    }
    const carried = this.choose(isZero, ZERO, this.i64('shl', high, rest));
    const near = this.i64('or', this.i64('lshr', low, count), carried);
    const moved = this.i64(operator, high, count);
    const sign = operator === 'ashr' ? this.i64('ashr', high, constant('i64', 63n)) : ZERO;
    return [this.choose(isFar, moved, near), this.choose(isFar, sign, moved)];
  }

  private i64(
    operator: 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor' | 'shl' | 'lshr' | 'ashr',
    a: Operand,
    b: Operand,
  ) {
    const dest = this.builder.register('', 'i64');
    this.builder.binary(operator, dest, a, b);
    return reg(dest);
  }

  private test(predicate: Predicate, a: Operand, b: Operand): Operand {
    const dest = this.builder.register('', 'i1');
    this.builder.compare(predicate, dest, a, b);
    return reg(dest);
  }

  /** 1 or 0, as an `i64`. */
  private bit(predicate: Predicate, a: Operand, b: Operand): Operand {
    const dest = this.builder.register('', 'i64');
    this.builder.cast('zext', dest, this.test(predicate, a, b));
    return reg(dest);
  }

  private choose(condition: Operand, ifTrue: Operand, ifFalse: Operand): Operand {
    const dest = this.builder.register('', 'i64');
    this.builder.select(dest, condition, ifTrue, ifFalse);
    return reg(dest);
  }
}

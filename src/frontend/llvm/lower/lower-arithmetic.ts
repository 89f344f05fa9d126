/** Intrinsics for arithmetic. */
import { constant } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import type { BinaryOperator } from '../../../program/operators.ts';
import { bitsOf, type Type } from '../../../program/types.ts';
import type { Call } from './call.ts';
import type { FunctionContext } from './function-context.ts';

export class ArithmeticLowering {
  private readonly into: FunctionContext;

  constructor(into: FunctionContext) {
    this.into = into;
  }

  lowerAbs(i: Call): void {
    const { into } = this;
    const type = into.scalar(i.type);
    const value = this.argument(i, 0);
    const [negative, isNegative] = [into.temporary(type), into.temporary('i1')];
    const zero = constant(type, type === 'i64' ? 0n : 0);
    into.builder.binary('sub', negative, zero, value);
    into.builder.compare('slt', isNegative, value, zero);
    into.builder.select(into.result(i, type), isNegative, negative, value);
  }

  lowerMinMax(i: Call, name: string): void {
    const { into } = this;
    const [a, b] = [this.argument(i, 0), this.argument(i, 1)];
    const less = into.temporary('i1');
    into.builder.compare(name.startsWith('s') ? 'slt' : 'ult', less, a, b);
    const [ifTrue, ifFalse] = name.endsWith('min') ? [a, b] : [b, a];
    into.builder.select(into.result(i, into.scalar(i.type)), less, ifTrue, ifFalse);
  }

  /** fshl(a, b, n): the upper half of a:b shifted left by n (modulo the width); fshr: the lower half, shifted right. */
  lowerFunnelShift(i: Call, left: boolean): void {
    const { into } = this;
    const { builder } = into;
    const type = into.scalar(i.type);
    const value = (n: number): Operand => constant(type, type === 'i64' ? BigInt(n) : n);
    const [a, b] = [this.argument(i, 0), this.argument(i, 1)];
    const [n, rest, high, low, both, isZero] = [
      into.temporary(type),
      into.temporary(type),
      into.temporary(type),
      into.temporary(type),
      into.temporary(type),
      into.temporary('i1'),
    ];
    builder.binary('and', n, this.argument(i, 2), value(bitsOf(type) - 1));
    builder.binary('sub', rest, value(bitsOf(type)), n);
    builder.binary('shl', high, a, left ? n : rest);
    builder.binary('lshr', low, b, left ? rest : n);
    builder.binary('or', both, high, low);
    builder.compare('eq', isZero, n, value(0));
    builder.select(into.result(i, type), isZero, left ? a : b, both);
  }

  /** Whether a float is of one of the classes in a mask; each class is a range of its bits without the sign. */
  lowerFloatClass(i: Call): void {
    const { into } = this;
    const { builder } = into;
    const mask = into.context.constants.evaluate(i.arguments[1]!.type, i.arguments[1]!.value);
    if (mask?.kind !== 'integer') return into.fail('unsupported intrinsic: llvm.is.fpclass of a variable mask');
    const isDouble = into.scalar(i.arguments[0]!.type) === 'f64';
    const type: Type = isDouble ? 'i64' : 'i32';
    const mantissa = isDouble ? 52n : 23n;
    const infinity = (isDouble ? 0x7ffn : 0xffn) << mantissa;
    const quiet = infinity | (1n << (mantissa - 1n));
    const top = (1n << (isDouble ? 63n : 31n)) - 1n;
    const normal = 1n << mantissa;
    const value = (bits: bigint): Operand => constant(type, isDouble ? bits : Number(bits));
    const [bits, size] = [into.temporary(type), into.temporary(type)];
    const [isNegative, any] = [into.temporary('i1'), into.result(i, 'i1')];
    builder.cast('bitcast', bits, this.argument(i, 0));
    builder.binary('and', size, bits, value(top));
    builder.compare('slt', isNegative, bits, value(0n));
    builder.move(any, constant('i1', 0));
    // In the order of the mask's bits: the required sign (undefined for NaN: either), and the range.
    const kinds: readonly (readonly [number | undefined, bigint, bigint])[] = [
      [undefined, infinity + 1n, quiet - 1n],
      [undefined, quiet, top],
      [1, infinity, infinity],
      [1, normal, infinity - 1n],
      [1, 1n, normal - 1n],
      [1, 0n, 0n],
      [0, 0n, 0n],
      [0, 1n, normal - 1n],
      [0, normal, infinity - 1n],
      [0, infinity, infinity],
    ];
    kinds.forEach(([sign, from, to], bit) => {
      if ((mask.value & (1n << BigInt(bit))) === 0n) return;
      const [low, high, isKind] = [into.temporary('i1'), into.temporary('i1'), into.temporary('i1')];
      builder.compare('uge', low, size, value(from));
      builder.compare('ule', high, size, value(to));
      builder.binary('and', isKind, low, high);
      if (sign !== undefined) {
        const hasSign = into.temporary('i1');
        builder.compare('eq', hasSign, isNegative, constant('i1', sign));
        builder.binary('and', isKind, isKind, hasSign);
      }
      builder.binary('or', any, any, isKind);
    });
  }

  lowerMultiplyAdd(i: Call): void {
    const { into } = this;
    const type = into.scalar(i.type);
    const product = into.temporary(type);
    into.builder.binary('fmul', product, this.argument(i, 0), this.argument(i, 1));
    into.builder.binary('fadd', into.result(i, type), product, this.argument(i, 2));
  }

  /**
   * There is no type wider than 64 bits to compute in. Instead, dividing the product by one factor must give the other.
   */
  private wideMultiplication(result: Dest, overflow: Dest, a: Operand, b: Operand, signed: boolean): void {
    const { into } = this;
    const { builder } = into;
    const wide = (value: bigint): Operand => constant('i64', value);
    const [isZero, isMinusOne, isSpecial, isSmallest, differs, other] = Array.from({ length: 6 }, () =>
      into.temporary('i1'),
    );
    const [divisor, quotient] = [into.temporary('i64'), into.temporary('i64')];
    builder.binary('mul', result, a, b);
    builder.compare('eq', isZero!, a, wide(0n));
    builder.compare('eq', isMinusOne!, a, wide(signed ? -1n : 0n));
    builder.binary('or', isSpecial!, isZero!, isMinusOne!);
    builder.select(divisor, isSpecial!, wide(1n), a);
    builder.binary(signed ? 'sdiv' : 'udiv', quotient, result, divisor);
    builder.compare('ne', differs!, quotient, b);
    // Multiplied by -1, only the smallest integer overflows; multiplied by 0, nothing does.
    builder.compare('eq', isSmallest!, b, wide(-(1n << 63n)));
    builder.select(other!, isMinusOne!, isSmallest!, differs!);
    builder.select(overflow, isZero!, constant('i1', 0), other!);
  }

  /** `{result, overflowed}`: computed in 64 bits; 64-bit operations are checked by signs or, for `mul`, by division. */
  lowerOverflow(i: Call, name: string): void {
    const { into } = this;
    const { builder } = into;
    const type = into.scalar(i.arguments[0]!.type);
    const [result, overflow] = into.define(i.result, [type, 'i1']);
    const [a, b] = [this.argument(i, 0), this.argument(i, 1)];
    const operator = name.slice(1) as BinaryOperator;
    const signed = name.startsWith('s');
    if (type !== 'i64') {
      const extend = signed ? 'sext' : 'zext';
      const [wideA, wideB, wide, back] = Array.from({ length: 4 }, () => into.temporary('i64'));
      builder.cast(extend, wideA!, a);
      builder.cast(extend, wideB!, b);
      builder.binary(operator, wide!, wideA!, wideB!);
      builder.cast('trunc', result!, wide!);
      builder.cast(extend, back!, result!);
      builder.compare('ne', overflow!, back!, wide!);
      return;
    }
    if (operator === 'mul') return this.wideMultiplication(result!, overflow!, a, b, signed);
    builder.binary(operator, result!, a, b);
    if (!signed) {
      builder.compare('ult', overflow!, operator === 'add' ? result! : a, operator === 'add' ? a : b);
      return;
    }
    // Signed: the result's sign differs from a's, and a's from b's (sub) or equals it (add).
    const zero = constant('i64', 0n);
    const [x, y, z] = Array.from({ length: 3 }, () => into.temporary('i64' as Type));
    builder.binary('xor', x!, a, result!);
    builder.binary('xor', y!, operator === 'add' ? b : a, operator === 'add' ? result! : b);
    builder.binary('and', z!, x!, y!);
    builder.compare('slt', overflow!, z!, zero);
  }

  private argument(i: Call, index: number): Operand {
    const { value, type } = i.arguments[index]!;
    return this.into.operand(value, type);
  }
}

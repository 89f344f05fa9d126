/** Instructions that compute: arithmetic, comparisons, conversions, and the parts of structures. */
import { constant, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import type { BinaryOperator, CastOperator, Predicate } from '../../../program/operators.ts';
import { bitsOf, type Type } from '../../../program/types.ts';
import type { LInstruction, LType, LValue } from '../ir/module.ts';
import type { FunctionContext } from './function-context.ts';
import { oddWidth, signExtend, zeroExtend } from './odd-integers.ts';
import type { VectorLowering } from './vectors.ts';
import { DIVIDE_WIDE, type Division, type Halves, isDivision, isWide, WideIntegers } from './wide-integers.ts';

export class ComputationLowering {
  private readonly into: FunctionContext;
  readonly wide: WideIntegers;
  private readonly vectors: VectorLowering;
  /** 64-bit integers that are sign-extensions, and the values they extend. */
  readonly extended: Map<string, Operand> = new Map();

  constructor(into: FunctionContext, vectors: VectorLowering) {
    this.into = into;
    this.vectors = vectors;
    this.wide = new WideIntegers(into.builder);
  }

  /** Operands whose upper bits matter are masked first; results with new upper bits are normalised afterwards. */
  lowerOddBinary(i: LInstruction & { op: 'binary' }, width: number): void {
    const type = this.into.scalar(i.type);
    const dest = this.into.result(i, type);
    const isUnsigned = i.operator === 'lshr' || i.operator === 'udiv' || i.operator === 'urem';
    const [left, right] = [i.left, i.right].map((value): Operand => {
      const operand = this.into.operand(value, i.type);
      if (!isUnsigned) return operand;
      const masked = this.into.temporary(type);
      zeroExtend(this.into.builder, masked, type, operand, width);
      return reg(masked);
    });
    this.into.builder.binary(i.operator as BinaryOperator, dest, left!, right!);
    signExtend(this.into.builder, dest, type, dest, width);
  }

  lowerWideBinary(i: LInstruction & { op: 'binary' }): void {
    const [left, right] = [this.halves(i.left, i.type), this.halves(i.right, i.type)];
    const result = isDivision(i.operator)
      ? this.divideWide(i.operator, left, right)
      : this.wide.binary(i.operator, left, right);
    if (result === undefined) return this.into.fail(`this operator (${i.operator}) of 128-bit integers is unsupported`);
    this.into.moveParts(i, result, ['i64', 'i64']);
  }

  private divideWide(operator: Division, left: Halves, right: Halves): Halves {
    const { into } = this;
    const callee = into.callee({ kind: 'global', name: DIVIDE_WIDE });
    const what = constant('i32', operator === 'udiv' || operator === 'sdiv' ? 0 : 1);
    return this.wide.divide(operator, left, right, (a, b, isHigh) => {
      const dest = into.temporary('i64');
      into.builder.call(dest, callee, [...a, ...b, what, constant('i32', isHigh ? 1 : 0)]);
      return reg(dest);
    });
  }

  halves(value: LValue, type: LType): Halves {
    const [low, high] = this.into.partsOf({ type, value });
    return [low!, high!];
  }

  lowerCompare(i: LInstruction & { op: 'icmp' | 'fcmp' }): void {
    if (this.into.isVector(i.type)) return this.vectors.lowerCompare(i);
    const dest = this.into.result(i, 'i1');
    if (isWide(i.type)) {
      return this.wide.compare(i.predicate, dest, this.halves(i.left, i.type), this.halves(i.right, i.type));
    }
    let [left, right] = [this.into.operand(i.left, i.type), this.into.operand(i.right, i.type)];
    const width = oddWidth(i.type);
    if (width !== undefined && i.predicate.startsWith('u')) {
      [left, right] = [left, right].map((operand): Operand => {
        const masked = this.into.temporary(this.into.scalar(i.type));
        zeroExtend(this.into.builder, masked, this.into.scalar(i.type), operand, width);
        return reg(masked);
      }) as [Operand, Operand];
    }
    if (i.predicate === 'true' || i.predicate === 'false') {
      return this.into.builder.move(dest, constant('i1', i.predicate === 'true' ? 1 : 0));
    }
    const predicate = i.op === 'fcmp' ? `f${i.predicate}` : i.predicate;
    this.into.builder.compare(predicate as Predicate, dest, left, right);
  }

  private lowerWideCast(i: LInstruction & { op: 'cast' }): void {
    const { builder } = this.into;
    if (isWide(i.from)) {
      const [low, high] = this.halves(i.value, i.from);
      if (isWide(i.to)) return this.into.moveParts(i, [low, high], ['i64', 'i64']);
      const to = this.into.scalar(i.to);
      if (i.operator !== 'trunc' && i.operator !== 'inttoptr') {
        this.into.fail(`this conversion (${i.operator}) of a 128-bit integer is unsupported`);
      }
      const dest = this.into.result(i, to);
      if (to === 'i64') builder.move(dest, low);
      else builder.cast('trunc', dest, low);
      return;
    }
    if (i.operator !== 'zext' && i.operator !== 'sext' && i.operator !== 'ptrtoint') {
      this.into.fail(`this conversion (${i.operator}) to a 128-bit integer is unsupported`);
    }
    const extension = i.operator === 'sext' ? 'sext' : 'zext';
    let value = this.into.operand(i.value, i.from);
    if (this.into.scalar(i.from) !== 'i64') {
      const dest = this.into.temporary('i64');
      builder.cast(extension, dest, value);
      value = reg(dest);
    }
    this.into.moveParts(i, this.wide.extend(extension, value), ['i64', 'i64']);
  }

  lowerCast(i: LInstruction & { op: 'cast' }): void {
    const isOfVectors = this.into.isVector(i.from) || this.into.isVector(i.to);
    if (isOfVectors && i.operator !== 'bitcast') this.into.fail('converting vectors is unsupported');
    if (isOfVectors && (this.into.isComposite(i.from) || this.into.isComposite(i.to)))
      return this.vectors.lowerBitcast(i);
    if (isWide(i.from) || isWide(i.to)) return this.lowerWideCast(i);
    if (i.operator === 'ptrtoint') this.into.refuseAlignedArgument(i.value);
    const [from, to] = [this.into.scalar(i.from), this.into.scalar(i.to)];
    const dest = this.into.result(i, to);
    const value = this.into.operand(i.value, i.from);
    let operator = i.operator;
    if (operator === 'ptrtoint' || operator === 'inttoptr' || operator === 'addrspacecast') {
      operator = bitsOf(from) < bitsOf(to) ? 'zext' : bitsOf(from) > bitsOf(to) ? 'trunc' : 'bitcast';
    }
    const [fromWidth, toWidth] = [oddWidth(i.from), oddWidth(i.to)];
    if (fromWidth !== undefined || toWidth !== undefined) {
      return this.lowerOddCast(operator, dest, value, [from, fromWidth], [to, toWidth]);
    }
    if (operator === 'bitcast' && from === to) return this.into.builder.move(dest, value);
    if (operator === 'sext' && from === 'i32' && to === 'i64') this.extended.set(i.result!, value);
    this.into.builder.cast(operator as CastOperator, dest, value);
  }

  private lowerOddCast(
    operator: string,
    dest: Dest,
    value: Operand,
    [from, fromWidth]: readonly [Type, number | undefined],
    [to, toWidth]: readonly [Type, number | undefined],
  ): void {
    const { builder } = this.into;
    if (operator !== 'trunc' && operator !== 'zext' && operator !== 'sext') {
      this.into.fail(`this conversion (${operator}) of a bit-field is unsupported`);
    }
    let source = value;
    if (operator === 'zext' && fromWidth !== undefined) {
      const masked = this.into.temporary(from);
      zeroExtend(builder, masked, from, value, fromWidth);
      source = reg(masked);
    }
    if (from === to) builder.move(dest, source);
    else if (bitsOf(from) > bitsOf(to)) builder.cast('trunc', dest, source);
    else builder.cast(operator === 'zext' ? 'zext' : 'sext', dest, source);
    if (operator === 'trunc' && toWidth !== undefined) signExtend(builder, dest, to, dest, toWidth);
  }

  lowerSelect(i: LInstruction & { op: 'select' }): void {
    if (this.into.isVector(i.condition.type)) return this.vectors.lowerSelect(i);
    const condition = this.into.operand(i.condition.value, i.condition.type);
    const [yes, no] = [this.into.partsOf(i.ifTrue), this.into.partsOf(i.ifFalse)];
    this.into.define(i.result, this.into.parts(i.ifTrue.type)).forEach((dest, k) => {
      this.into.builder.select(dest, condition, yes[k]!, no[k]!);
    });
  }

  /** The scalars of a structure that an index path selects. */
  private partRange(type: LType, indices: readonly number[]): { first: number; types: readonly Type[] } {
    let first = 0;
    let current = this.into.context.layout.resolve(type);
    for (const index of indices) {
      const fields: readonly LType[] =
        current.kind === 'struct'
          ? current.fields
          : current.kind === 'array'
            ? Array.from({ length: current.count }, () => (current as LType & { kind: 'array' }).element)
            : [];
      for (const field of fields.slice(0, index)) first += this.into.parts(field).length;
      current = this.into.context.layout.resolve(fields[index]!);
    }
    return { first, types: this.into.parts(current) };
  }

  lowerExtract(i: LInstruction & { op: 'extractvalue' }): void {
    const { first, types } = this.partRange(i.aggregate.type, i.indices);
    this.into.moveParts(i, this.into.partsOf(i.aggregate).slice(first, first + types.length), types);
  }

  lowerInsert(i: LInstruction & { op: 'insertvalue' }): void {
    const { first } = this.partRange(i.aggregate.type, i.indices);
    const values = [...this.into.partsOf(i.aggregate)];
    const inserted = this.into.partsOf(i.value);
    values.splice(first, inserted.length, ...inserted);
    this.into.moveParts(i, values, this.into.parts(i.aggregate.type));
  }
}

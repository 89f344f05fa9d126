/**
 * Vectors as words: an `i64` for each eight bytes, and an `i32` for a vector of four. Memory is accessed like by
 * `memcpy`: in pieces as wide as the alignment allows, although some processors would access sixteen bytes at once.
 * Lanes are cut out of the words, and put back. A vector of bits, the result of a comparison, is never in memory: it is
 * its lanes.
 */
import { constant, int, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import type { BinaryOperator, Predicate } from '../../../program/operators.ts';
import { bitsOf, sizeOf, type Type } from '../../../program/types.ts';
import type { LInstruction, LType, LValue, TypedValue } from '../ir/module.ts';
import type { FunctionContext } from './function-context.ts';
import { oddWidth, signExtend } from './odd-integers.ts';

type Vector = LType & { kind: 'vector' };

export class VectorLowering {
  private readonly into: FunctionContext;

  constructor(into: FunctionContext) {
    this.into = into;
  }

  // ---- memory, for vectors of several words

  lowerLoad(i: LInstruction & { op: 'load' }): void {
    const { into } = this;
    if (this.isOfBits(i.type)) into.fail('a vector of bits in memory is unsupported');
    const start = into.address(i.address);
    const isPrivate = into.isPrivate(i.address);
    const width = this.pieceWidth(i.align);
    const order = i.volatile ? 'volatile' : 'plain';
    into.define(i.result, into.parts(i.type)).forEach((dest, word) => {
      const pieces = places(width).map((at): Operand => {
        const piece = width === 8 ? dest : into.temporary(integerOf(width));
        into.loadFrom(piece, into.offset(start, word * 8 + at), isPrivate, order);
        return reg(piece);
      });
      if (width < 8) into.builder.move(dest, this.join('i64', pieces, width));
    });
  }

  lowerStore(i: LInstruction & { op: 'store' }): void {
    const { into } = this;
    if (this.isOfBits(i.value.type)) into.fail('a vector of bits in memory is unsupported');
    const start = into.address(i.address);
    const isPrivate = into.isPrivate(i.address);
    const width = this.pieceWidth(i.align);
    const order = i.volatile ? 'volatile' : 'plain';
    into.partsOf(i.value).forEach((value, word) => {
      for (const at of places(width)) {
        const piece = this.cut('i64', value, at, integerOf(width));
        into.storeTo(into.offset(start, word * 8 + at), piece, isPrivate, order);
      }
    });
  }

  /** As for a copy of memory. If the text gives no alignment, the vector has that of its size. */
  private pieceWidth(align: number): number {
    return Math.min(this.into.slot, 8, align === 0 ? 8 : align);
  }

  // ---- lanes

  lowerExtract(i: LInstruction & { op: 'extractelement' }): void {
    const lanes = this.lanes(i.vector);
    const type = this.laneType(i.vector.type);
    const dest = this.into.result(i, type);
    const isAt = this.index(i.index, lanes.length);
    if (typeof isAt === 'number') return this.into.builder.move(dest, lanes[isAt]!);
    this.into.builder.move(dest, lanes[0]!);
    for (const [k, lane] of lanes.entries()) this.into.builder.select(dest, isAt(k), lane, reg(dest));
  }

  lowerInsert(i: LInstruction & { op: 'insertelement' }): void {
    const before = this.lanes(i.vector);
    const type = this.laneType(i.vector.type);
    const value = this.into.operand(i.value.value, i.value.type);
    const isAt = this.index(i.index, before.length);
    const lanes = before.map((lane, k) => {
      if (typeof isAt === 'number') return k === isAt ? value : lane;
      const dest = this.into.temporary(type);
      this.into.builder.select(dest, isAt(k), value, lane);
      return reg(dest);
    });
    this.define(i, i.vector.type, lanes);
  }

  lowerShuffle(i: LInstruction & { op: 'shufflevector' }): void {
    const mask = this.vector(i.mask.type);
    const type = this.laneType(i.left.type);
    const from = [...this.lanes(i.left), ...this.lanes(i.right)];
    const lanes = elementsOf(i.mask.value, mask.count).map((index) => {
      // Such a lane may have any value; like other undefined values, it is zero.
      if (index === undefined) return constant(type, type === 'i64' ? 0n : 0);
      return from[Number(index)] ?? this.into.fail('a shuffle takes a lane that there is not');
    });
    this.define(i, this.into.context.layout.shuffled(i.left.type, i.mask.type), lanes);
  }

  lowerBinary(i: LInstruction & { op: 'binary' }): void {
    const [left, right] = [i.left, i.right].map((value) => this.lanes({ type: i.type, value }));
    const type = this.laneType(i.type);
    this.define(
      i,
      i.type,
      left!.map((lane, k) => {
        const dest = this.into.temporary(type);
        this.into.builder.binary(i.operator as BinaryOperator, dest, lane, right![k]!);
        return reg(dest);
      }),
    );
  }

  lowerNegate(i: LInstruction & { op: 'fneg' }): void {
    const type = this.laneType(i.type);
    this.define(
      i,
      i.type,
      this.lanes(i).map((lane) => {
        const dest = this.into.temporary(type);
        this.into.builder.unary('fneg', dest, lane);
        return reg(dest);
      }),
    );
  }

  lowerCompare(i: LInstruction & { op: 'icmp' | 'fcmp' }): void {
    const { into } = this;
    const [left, right] = [i.left, i.right].map((value) => this.lanes({ type: i.type, value }));
    const lanes = left!.map((lane, k) => {
      const dest = into.temporary('i1');
      if (i.predicate === 'true' || i.predicate === 'false')
        into.builder.move(dest, constant('i1', i.predicate === 'true' ? 1 : 0));
      else {
        const predicate = i.op === 'fcmp' ? `f${i.predicate}` : i.predicate;
        into.builder.compare(predicate as Predicate, dest, lane, right![k]!);
      }
      return reg(dest);
    });
    into.moveParts(
      i,
      lanes,
      lanes.map(() => 'i1'),
    );
  }

  /** Lane by lane. */
  lowerSelect(i: LInstruction & { op: 'select' }): void {
    const type = this.laneType(i.ifTrue.type);
    const [yes, no] = [this.lanes(i.ifTrue), this.lanes(i.ifFalse)];
    const lanes = this.lanes(i.condition).map((condition, k) => {
      const dest = this.into.temporary(type);
      this.into.builder.select(dest, condition, yes[k]!, no[k]!);
      return reg(dest);
    });
    this.define(i, i.ifTrue.type, lanes);
  }

  /** Other words for the same bytes, as of another vector; and a vector of bits as a number. */
  lowerBitcast(i: LInstruction & { op: 'cast' }): void {
    const { into } = this;
    const [from, to] = [into.parts(i.from), into.parts(i.to)];
    const values = into.partsOf({ type: i.from, value: i.value });
    if (this.isOfBits(i.from) && to.length === 1 && to[0] !== 'i1') {
      const dest = into.define(i.result, to)[0]!;
      const bits = values.map((bit, k): Operand => {
        const [wide, shifted] = [into.temporary(to[0]!), into.temporary(to[0]!)];
        into.builder.cast('zext', wide, bit);
        into.builder.binary('shl', shifted, reg(wide), numberOf(to[0]!, k));
        return reg(shifted);
      });
      into.builder.move(dest, numberOf(to[0]!, 0));
      for (const bit of bits) into.builder.binary('or', dest, reg(dest), bit);
      const width = oddWidth(i.to);
      if (width !== undefined) signExtend(into.builder, dest, to[0]!, dest, width);
      return;
    }
    if (from.join() !== to.join()) into.fail('this conversion of a vector is unsupported');
    into.moveParts(i, values, to);
  }

  private isOfBits(type: LType): boolean {
    const resolved = this.into.context.layout.resolve(type);
    return resolved.kind === 'vector' && this.into.context.layout.scalar(resolved.element) === 'i1';
  }

  private vector(type: LType): Vector {
    const resolved = this.into.context.layout.resolve(type);
    return resolved.kind === 'vector' ? resolved : this.into.fail('a vector was expected here');
  }

  /** The type of each lane. Of vectors with other elements nothing is modelled but copies. */
  private laneType(type: LType): Type {
    const { layout } = this.into.context;
    const { element } = this.vector(type);
    const lane = layout.scalar(element);
    if (layout.resolve(element).kind === 'vector' || lane === undefined || sizeOf(lane) !== layout.sizeOf(element))
      return this.into.fail('computing with vectors of such elements is unsupported');
    return lane;
  }

  private lanes(vector: TypedValue): readonly Operand[] {
    const type = this.laneType(vector.type);
    const word = this.into.parts(vector.type)[0]!;
    const each = sizeOf(word) / sizeOf(type);
    const words = this.into.partsOf(vector);
    if (type === 'i1') return words;
    return Array.from({ length: this.vector(vector.type).count }, (_, k) =>
      this.cut(word, words[Math.floor(k / each)]!, (k % each) * sizeOf(type), type),
    );
  }

  private define(i: LInstruction, type: LType, lanes: readonly Operand[]): void {
    const words = this.into.parts(type);
    if (this.isOfBits(type)) return this.into.moveParts(i, lanes, words);
    const size = sizeOf(this.laneType(type));
    const each = sizeOf(words[0]!) / size;
    const values = words.map((word, k) => {
      const bits = lanes.slice(k * each, (k + 1) * each).map((lane) => this.bits(lane, this.laneType(type)));
      return this.join(word, bits, size);
    });
    this.into.moveParts(i, values, words);
  }

  /** A lane, or a test for each, which comes after one for an error: that there is such a lane. */
  private index({ value, type }: TypedValue, count: number): number | ((lane: number) => Operand) {
    if (value.kind === 'int' && value.value >= 0n && value.value < BigInt(count)) return Number(value.value);
    const { builder } = this.into;
    const index = this.into.operand(value, type);
    const compare = (predicate: 'eq' | 'ult', to: number): Operand => {
      const dest = this.into.temporary('i1');
      builder.compare(predicate, dest, index, numberOf(this.into.scalar(type), to));
      return reg(dest);
    };
    builder.assert(compare('ult', count), `a lane of a vector of ${count}`);
    return (lane) => compare('eq', lane);
  }

  // ---- words

  /** What is `at` bytes after the beginning of a word. */
  private cut(word: Type, value: Operand, at: number, type: Type): Operand {
    const { builder } = this.into;
    let bits = value;
    if (at > 0) {
      const shifted = this.into.temporary(word);
      builder.binary('lshr', shifted, value, numberOf(word, at * 8));
      bits = reg(shifted);
    }
    const integer = integerOf(sizeOf(type));
    if (integer !== word) {
      const low = this.into.temporary(integer);
      builder.cast('trunc', low, bits);
      bits = reg(low);
    }
    if (integer === type) return bits;
    const float = this.into.temporary(type);
    builder.cast('bitcast', float, bits);
    return reg(float);
  }

  /** A lane as an integer. */
  private bits(lane: Operand, type: Type): Operand {
    const integer = integerOf(sizeOf(type));
    if (integer === type) return lane;
    const dest = this.into.temporary(integer);
    this.into.builder.cast('bitcast', dest, lane);
    return reg(dest);
  }

  /** A word of pieces of `bytes` bytes each, the lowest first. */
  private join(word: Type, pieces: readonly Operand[], bytes: number): Operand {
    const { builder } = this.into;
    let joined: Operand | undefined;
    for (const [k, piece] of pieces.entries()) {
      let wide = piece;
      if (bytes * 8 < bitsOf(word)) {
        const dest = this.into.temporary(word);
        builder.cast('zext', dest, piece);
        wide = reg(dest);
      }
      if (k === 0) {
        joined = wide;
        continue;
      }
      const [shifted, sum] = [this.into.temporary(word), this.into.temporary(word)];
      builder.binary('shl', shifted, wide, numberOf(word, k * bytes * 8));
      builder.binary('or', sum, joined!, shifted);
      joined = reg(sum);
    }
    return joined!;
  }
}

/** Where the pieces of a word are. */
function places(width: number): readonly number[] {
  return Array.from({ length: 8 / width }, (_, k) => k * width);
}

/** The numbers in a constant vector; nothing for those that may be any. */
function elementsOf(value: LValue, count: number): readonly (bigint | undefined)[] {
  if (value.kind === 'zero') return new Array<bigint>(count).fill(0n);
  if (value.kind !== 'aggregate') return new Array<undefined>(count).fill(undefined);
  return value.elements.map(({ value: element }) => {
    if (element.kind === 'int') return element.value;
    return element.kind === 'zero' ? 0n : undefined;
  });
}

function integerOf(bytes: number): Type {
  return bytes === 8 ? 'i64' : bytes === 4 ? 'i32' : bytes === 2 ? 'i16' : 'i8';
}

function numberOf(type: Type, value: number): Operand {
  return type === 'i64' ? constant('i64', BigInt(value)) : int(value, type);
}

/** LLVM's intrinsics, as far as clang uses them at -O0. Copies of memory are sequences of accesses, visible if shared. */
import { constant, int, reg } from '../../../program/builder.ts';
import {
  type BinaryOperator,
  type Dest,
  ELEMENTARY_FUNCTIONS,
  type Operand,
  type Target,
  type UnaryOperator,
} from '../../../program/ir.ts';
import { bitsOf, type Type } from '../../../program/types.ts';
import type { LValue, TypedValue } from '../ir/module.ts';
import { barrierOf } from './assembly-barriers.ts';
import { readAssembly } from './assembly-text.ts';
import type { Call } from './call.ts';
import type { Evaluated } from './constant.ts';
import type { FunctionContext } from './function-context.ts';
import { lowerVaCopy, lowerVaStart } from './va-list.ts';

const IGNORED =
  /^llvm\.(dbg|lifetime|invariant|assume|donothing|va_end|prefetch|experimental\.noalias|var\.annotation|codeview)/;
const UNARY: Readonly<Record<string, UnaryOperator>> = {
  ctlz: 'clz',
  cttz: 'ctz',
  ctpop: 'popcount',
  bswap: 'bswap',
  fabs: 'fabs',
  sqrt: 'fsqrt',
  floor: 'ffloor',
  ceil: 'fceil',
  trunc: 'ftrunc',
  round: 'fround',
};
/** Copies of up to this many pieces are unrolled; longer ones are loops. */
const MAX_UNROLLED = 64;

/** An address, and whether accesses to it are invisible to other threads. */
interface Place {
  readonly operand: Operand;
  readonly isPrivate: boolean;
}

export class IntrinsicLowering {
  private readonly into: FunctionContext;

  constructor(into: FunctionContext) {
    this.into = into;
  }

  lower(i: Call, name: string): void {
    if (IGNORED.test(name)) return;
    const { into } = this;
    const base = name.split('.')[1]!;
    switch (base) {
      case 'memcpy':
      case 'memmove':
      case 'memset':
        return this.lowerMemoryCall(i, base);
      case 'va_start':
        return this.lowerVaStart(i.arguments[0]!.value);
      case 'va_copy':
        return lowerVaCopy(into, i.arguments[0]!.value, i.arguments[1]!.value);
      case 'stackrestore':
        for (const array of into.stackScopes.end(i.arguments[0]!.value))
          into.builder.add({ op: 'free', what: 'stack', address: reg(array) });
        return;
      case 'stacksave':
        into.stackScopes.begin(i.result);
        return into.builder.move(into.result(i, into.pointer), into.pointerConstant(0));
      case 'x86':
        // Time is logical, as for clock_gettime.
        return name === 'llvm.x86.rdtsc' ? this.callLibrary(i, '__fencepost_clock') : this.lowerBarrier(name);
      case 'readcyclecounter':
        return this.callLibrary(i, '__fencepost_clock');
      case 'threadlocal':
        return this.lowerThreadLocal(i);
      case 'ptrmask':
        into.refuseAlignedArgument(i.arguments[0]!.value);
        return into.builder.binary('and', into.result(i, into.pointer), this.argument(i, 0), this.argument(i, 1));
      case 'expect':
      case 'launder':
      case 'strip':
      case 'ssa':
        return this.result(i, this.argument(i, 0));
      case 'is':
        if (name.startsWith('llvm.is.fpclass')) return this.lowerFloatClass(i);
        return this.result(i, constant('i1', 0));
      case 'objectsize':
        return this.result(i, this.all(i, -1));
      case 'trap':
      case 'debugtrap':
        return into.builder.assert(constant('i1', 0), 'trap');
      case 'abs':
        return this.lowerAbs(i);
      case 'smax':
      case 'smin':
      case 'umax':
      case 'umin':
        return this.lowerMinMax(i, base);
      case 'fshl':
      case 'fshr':
        return this.lowerFunnelShift(i, base === 'fshl');
      case 'fmuladd':
        return this.lowerMultiplyAdd(i);
      case 'fma':
        return this.callLibrary(i, into.scalar(i.type) === 'f32' ? 'fmaf' : 'fma');
      case 'sadd':
      case 'uadd':
      case 'ssub':
      case 'usub':
      case 'smul':
      case 'umul':
        return this.lowerOverflow(i, base);
      default: {
        const operator = UNARY[base] ?? ELEMENTARY_FUNCTIONS.find((name) => name === `f${base}`);
        if (operator === undefined) into.fail(`unsupported intrinsic: ${name}`);
        into.builder.unary(operator!, into.result(i, into.scalar(i.type)), this.argument(i, 0));
      }
    }
  }

  /** `llvm.x86.sse2.mfence`, which is `_mm_mfence`. */
  private lowerBarrier(name: string): void {
    const [instruction] = /^llvm\.x86\.sse2?\.(?:[mls]fence|pause)$/.test(name)
      ? readAssembly(name.split('.')[3]!)
      : [];
    const fence = instruction === undefined ? undefined : barrierOf(instruction);
    if (fence === undefined || (typeof fence === 'object' && 'refused' in fence)) {
      return this.into.fail(`unsupported intrinsic: ${name}`);
    }
    if (fence !== 'nothing') this.into.builder.add({ op: 'fence', ...fence });
  }

  private argument(i: Call, index: number): Operand {
    const { value, type } = i.arguments[index]!;
    return this.into.operand(value, type);
  }

  /** The address that an argument means. */
  private address(i: Call, index: number): Operand {
    return this.into.address(i.arguments[index]!.value);
  }

  private result(i: Call, value: Operand): void {
    this.into.builder.move(this.into.result(i, this.into.scalar(i.type)), value);
  }

  private callLibrary(i: Call, name: string): void {
    const { into } = this;
    const args = i.arguments.map((_, index) => this.argument(i, index));
    const callee = into.callee({ kind: 'global', name });
    into.builder.call(into.result(i, into.scalar(i.type)), callee, args);
  }

  private all(i: Call, value: number): Operand {
    const type = this.into.scalar(i.type);
    return constant(type, type === 'i64' ? BigInt(value) : value);
  }

  // ---- memory

  /** `memcpy`, `memmove` and `memset`, called by name or as intrinsics; by name they also return their first argument. */
  lowerMemoryCall(i: Call, name: string): void {
    if (name === 'memset') this.lowerFill(i);
    else this.lowerCopy(i, name === 'memmove');
    if (i.result === undefined || this.into.context.layout.resolve(i.type).kind === 'void') return;
    const type = this.into.scalar(i.type);
    if (type === this.into.pointer) this.result(i, this.argument(i, 0));
    // Declared wrongly, or not at all.
    else this.into.builder.cast(type === 'i64' ? 'zext' : 'trunc', this.into.result(i, type), this.argument(i, 0));
    if (this.into.isPrivate(i.arguments[0]!.value)) this.into.notePrivate(i.result);
  }

  /** A size that is a constant, unless it is larger than all memory. */
  private knownSize(size: TypedValue): Evaluated | undefined {
    const bytes = this.into.context.constants.evaluate(size.type, size.value);
    return bytes?.kind === 'integer' && (bytes.value < 0n || bytes.value >= 2n ** 30n) ? undefined : bytes;
  }

  private lowerCopy(i: Call, mayOverlap: boolean): void {
    const { into } = this;
    const [to, from, size] = i.arguments;
    const bytes = this.knownSize(size!);
    const toPrivate = into.isPrivate(to!.value);
    const fromPrivate = into.isPrivate(from!.value);
    const align = Math.min(to!.align ?? 0, from!.align ?? 0);
    const isShort = bytes?.kind === 'integer' && Number(bytes.value) <= MAX_UNROLLED * Math.min(align, into.slot);
    if (bytes?.kind === 'integer' && align > 0 && (isShort || !mayOverlap)) {
      return this.copy(this.address(i, 0), toPrivate, this.address(i, 1), fromPrivate, Number(bytes.value), align);
    }
    this.copyDynamic(
      { operand: this.address(i, 0), isPrivate: toPrivate },
      { operand: this.address(i, 1), isPrivate: fromPrivate },
      into.size(size!),
      mayOverlap,
    );
  }

  /** For a size or alignment known only at run time: by the widest pieces that everything is a multiple of. */
  private copyDynamic(to: Place, from: Place, size: Operand, mayOverlap: boolean): void {
    const { into } = this;
    const { builder } = into;
    const [either, all] = [into.temporary('i32'), into.temporary('i32')];
    builder.binary('or', either, to.operand, from.operand);
    builder.binary('or', all, either, size);
    const end = builder.block('copied');
    for (const width of into.slot === 8 ? [8, 4, 1] : [4, 1]) {
      const narrower = width > 1 ? this.unlessMultiple(all, width) : end;
      if (mayOverlap) this.moveLoops(to, from, size, width);
      else this.copyLoop(to.operand, to.isPrivate, from.operand, from.isPrivate, size, width);
      builder.jump(end);
      builder.startBlock(narrower);
    }
  }

  /** Goes on if the value is a multiple; else, in the block that is returned. */
  private unlessMultiple(value: Operand | Dest, of: number): Target {
    const { builder } = this.into;
    const [multiple, other] = [builder.block('multiple'), builder.block('other')];
    const [odd, isMultiple] = [this.into.temporary('i32'), this.into.temporary('i1')];
    builder.binary('and', odd, value, int(of - 1));
    builder.compare('eq', isMultiple, odd, int(0));
    builder.branch(isMultiple, multiple, other);
    builder.startBlock(multiple);
    return other;
  }

  /** Forwards or backwards, so that nothing is overwritten before it has been read. */
  private moveLoops(to: Place, from: Place, size: Operand, width: number): void {
    const { into } = this;
    const { builder } = into;
    const isBehind = into.temporary('i1');
    builder.compare('ugt', isBehind, to.operand, from.operand);
    const [backwards, forwards, end] = [builder.block('backwards'), builder.block('forwards'), builder.block('moved')];
    builder.branch(isBehind, backwards, forwards);
    builder.startBlock(forwards);
    this.copyLoop(to.operand, to.isPrivate, from.operand, from.isPrivate, size, width);
    builder.jump(end);
    builder.startBlock(backwards);
    const value = into.temporary(integerOf(width));
    const place = into.temporary('i32');
    this.loop(size, width, (index) => {
      builder.binary('sub', place, size, index);
      builder.binary('sub', place, place, int(width));
      into.loadFrom(value, this.at(from.operand, place), from.isPrivate);
      into.storeTo(this.at(to.operand, place), reg(value), to.isPrivate);
    });
    builder.jump(end);
    builder.startBlock(end);
  }

  /** Copies `size` bytes, in pieces as wide as the alignment allows. */
  copy(to: Operand, toPrivate: boolean, from: Operand, fromPrivate: boolean, size: number, align: number): void {
    const { into } = this;
    const widest = Math.min(into.slot, align >= 8 ? 8 : align >= 4 ? 4 : align >= 2 ? 2 : 1);
    if (size > MAX_UNROLLED * widest) {
      const whole = size - (size % widest);
      this.copyLoop(to, toPrivate, from, fromPrivate, int(whole), widest);
      if (whole < size)
        this.copy(into.offset(to, whole), toPrivate, into.offset(from, whole), fromPrivate, size - whole, 1);
      return;
    }
    // Everything is read before anything is written, so that overlapping objects are copied correctly.
    const pieces: { offset: number; value: Dest }[] = [];
    for (let offset = 0; offset < size; ) {
      const rest = size - offset;
      const width = Math.min(widest, rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1);
      const value = into.temporary(integerOf(width));
      into.loadFrom(value, into.offset(from, offset), fromPrivate);
      pieces.push({ offset, value });
      offset += width;
    }
    for (const { offset, value } of pieces) into.storeTo(into.offset(to, offset), reg(value), toPrivate);
  }

  private copyLoop(
    to: Operand,
    toPrivate: boolean,
    from: Operand,
    fromPrivate: boolean,
    size: Operand,
    width: number,
  ): void {
    const { into } = this;
    const value = into.temporary(integerOf(width));
    this.loop(size, width, (index) => {
      into.loadFrom(value, this.at(from, index), fromPrivate);
      into.storeTo(this.at(to, index), reg(value), toPrivate);
    });
  }

  private lowerFill(i: Call): void {
    const { into } = this;
    const [to, , size] = i.arguments;
    const value = this.fillByte(i);
    const isPrivate = into.isPrivate(to!.value);
    const bytes = this.knownSize(size!);
    const align = to!.align ?? 1;
    const fill = into.context.constants.evaluate(i.arguments[1]!.type, i.arguments[1]!.value);
    const address = this.address(i, 0);
    if (bytes?.kind === 'integer' && fill?.kind === 'integer' && align >= 4 && Number(bytes.value) % 4 === 0) {
      const count = Number(bytes.value);
      const width = into.slot === 8 && align >= 8 && count % 8 === 0 ? 8 : 4;
      const byte = BigInt.asUintN(8, fill.value);
      const word = width === 8 ? constant('i64', byte * 0x0101010101010101n) : int((Number(byte) * 0x01010101) | 0);
      if (count <= MAX_UNROLLED * width) {
        for (let at = 0; at < count; at += width) into.storeTo(into.offset(address, at), word, isPrivate);
      } else {
        this.loop(int(count), width, (index) => into.storeTo(this.at(address, index), word, isPrivate));
      }
      return;
    }
    this.loop(into.size(size!), 1, (index) => into.storeTo(this.at(address, index), value, isPrivate));
  }

  /** The value to fill with: an i8 as an argument of an intrinsic, an int as an argument of a function. */
  private fillByte(i: Call): Operand {
    const { into } = this;
    const operand = this.argument(i, 1);
    if (into.scalar(i.arguments[1]!.type) === 'i8') return operand;
    const byte = into.temporary('i8');
    into.builder.cast('trunc', byte, operand);
    return reg(byte);
  }

  private at(base: Operand, index: Dest): Operand {
    const dest = this.into.temporary('i32');
    this.into.builder.binary('add', dest, base, index);
    return reg(dest);
  }

  /** for (index = 0; index < size; index += step) body */
  private loop(size: Operand, step: number, body: (index: Dest) => void): void {
    const { builder } = this.into;
    const index = this.into.temporary('i32');
    const goOn = this.into.temporary('i1');
    const [head, inside, end] = [builder.block('copy'), builder.block('copy.body'), builder.block('copy.end')];
    builder.move(index, int(0));
    builder.jump(head);
    builder.startBlock(head);
    builder.compare('ult', goOn, index, size);
    builder.branch(goOn, inside, end);
    builder.startBlock(inside);
    body(index);
    builder.binary('add', index, index, int(step));
    builder.jump(head);
    builder.startBlock(end);
  }

  // ---- varargs, thread-local storage

  private lowerVaStart(list: LValue): void {
    const { into } = this;
    const area = into.temporary('i32');
    into.builder.cast('bitcast', area, reg(into.hiddenParameter));
    lowerVaStart(into, list, area);
  }

  private lowerThreadLocal(i: Call): void {
    const { into } = this;
    const { value } = i.arguments[0]!;
    if (value.kind !== 'global') into.fail('unsupported use of a thread-local variable');
    const symbol = into.program.resolve(into.context.module, (value as LValue & { kind: 'global' }).name);
    if (symbol?.kind !== 'global') into.fail('thread-local variable is not defined');
    const address = into.program.globalAddress(symbol as typeof symbol & { kind: 'global' });
    const global = (address as { index: number }).index;
    into.definePointer(i.result, (dest) => into.builder.add({ op: 'threadlocal', dest, global }));
  }

  // ---- arithmetic

  private lowerAbs(i: Call): void {
    const { into } = this;
    const type = into.scalar(i.type);
    const value = this.argument(i, 0);
    const [negative, isNegative] = [into.temporary(type), into.temporary('i1')];
    const zero = constant(type, type === 'i64' ? 0n : 0);
    into.builder.binary('sub', negative, zero, value);
    into.builder.compare('slt', isNegative, value, zero);
    into.builder.select(into.result(i, type), isNegative, negative, value);
  }

  private lowerMinMax(i: Call, name: string): void {
    const { into } = this;
    const [a, b] = [this.argument(i, 0), this.argument(i, 1)];
    const less = into.temporary('i1');
    into.builder.compare(name.startsWith('s') ? 'slt' : 'ult', less, a, b);
    const [ifTrue, ifFalse] = name.endsWith('min') ? [a, b] : [b, a];
    into.builder.select(into.result(i, into.scalar(i.type)), less, ifTrue, ifFalse);
  }

  /** fshl(a, b, n): the upper half of a:b shifted left by n (modulo the width); fshr: the lower half, shifted right. */
  private lowerFunnelShift(i: Call, left: boolean): void {
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

  /** Whether a float is of one of the kinds in a mask; each kind is a range of its bits without the sign. */
  private lowerFloatClass(i: Call): void {
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
    // By bit of the mask: the required sign (either for NaN), and the range.
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

  private lowerMultiplyAdd(i: Call): void {
    const { into } = this;
    const type = into.scalar(i.type);
    const product = into.temporary(type);
    into.builder.binary('fmul', product, this.argument(i, 0), this.argument(i, 1));
    into.builder.binary('fadd', into.result(i, type), product, this.argument(i, 2));
  }

  /** 64 bits have no wider type to compute in: dividing the product by one factor must give the other. */
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
    // By -1 only the smallest integer overflows, by 0 nothing does.
    builder.compare('eq', isSmallest!, b, wide(-(1n << 63n)));
    builder.select(other!, isMinusOne!, isSmallest!, differs!);
    builder.select(overflow, isZero!, constant('i1', 0), other!);
  }

  /** `{result, overflowed}`: computed in twice the width, or for 64 bits from the signs. */
  private lowerOverflow(i: Call, name: string): void {
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
}

function integerOf(bytes: number): Type {
  return bytes === 8 ? 'i64' : bytes === 4 ? 'i32' : bytes === 2 ? 'i16' : 'i8';
}

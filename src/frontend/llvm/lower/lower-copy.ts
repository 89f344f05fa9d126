/**
 * `memcpy`, `memmove`, `memset` and copies of structures, as sequences of accesses, which are visible if the memory is
 * shared.
 */
import { constant, int, reg } from '../../../program/builder.ts';
import { COPY_BODY } from '../../../program/copy-blocks.ts';
import type { Dest, Operand, Target } from '../../../program/ir.ts';
import type { Type } from '../../../program/types.ts';
import type { TypedValue } from '../ir/module.ts';
import type { Call } from './call.ts';
import type { Evaluated } from './constant.ts';
import type { FunctionContext } from './function-context.ts';
import type { Privacy } from './storage.ts';

/** Copies of up to this many pieces are unrolled; longer ones become loops. */
const MAX_UNROLLED = 64;

/** An address, and whether accesses to it are invisible to other threads. */
interface Place {
  readonly operand: Operand;
  readonly isPrivate: Privacy;
}

export class CopyLowering {
  private readonly into: FunctionContext;

  constructor(into: FunctionContext) {
    this.into = into;
  }

  /**
   * `memcpy`, `memmove` and `memset`, called by name or as intrinsics. Called by name, they also return their first
   * argument.
   */
  lowerMemoryCall(i: Call, name: string): void {
    if (name === 'memset') this.lowerFill(i);
    else this.lowerCopy(i, name === 'memmove');
    if (i.result === undefined || this.into.context.layout.resolve(i.type).kind === 'void') return;
    const type = this.into.scalar(i.type);
    if (type === this.into.pointer) this.into.builder.move(this.into.result(i, type), this.argument(i, 0));
    // The function is declared wrongly, or not at all.
    else this.into.builder.cast(type === 'i64' ? 'zext' : 'trunc', this.into.result(i, type), this.argument(i, 0));
    if (this.into.isPrivate(i.arguments[0]!.value) !== false) this.into.notePrivate(i.result);
  }

  /** A constant size, unless it is larger than all memory. */
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

  /**
   * For a size or alignment known only at run time: uses the widest pieces that addresses and size are multiples of.
   */
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

  /** Continues in a block for multiples; returns the block for other values. */
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

  /** Copies forwards or backwards, so that nothing is overwritten before it is read. */
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
  copy(to: Operand, toPrivate: Privacy, from: Operand, fromPrivate: Privacy, size: number, align: number): void {
    const { into } = this;
    const widest = Math.min(into.slot, align >= 8 ? 8 : align >= 4 ? 4 : align >= 2 ? 2 : 1);
    if (size > MAX_UNROLLED * widest) {
      const whole = size - (size % widest);
      this.copyLoop(to, toPrivate, from, fromPrivate, int(whole), widest);
      if (whole < size)
        this.copy(into.offset(to, whole), toPrivate, into.offset(from, whole), fromPrivate, size - whole, 1);
      return;
    }
    // Everything is read before anything is written, so overlapping objects are copied correctly.
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
    toPrivate: Privacy,
    from: Operand,
    fromPrivate: Privacy,
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

  /** The byte to fill with: intrinsics take an i8, functions an int. */
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
    const [head, inside, end] = [builder.block('copy'), builder.block(COPY_BODY), builder.block('copy.end')];
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

  private argument(i: Call, index: number): Operand {
    const { value, type } = i.arguments[index]!;
    return this.into.operand(value, type);
  }

  /** The address that an argument stands for. */
  private address(i: Call, index: number): Operand {
    return this.into.address(i.arguments[index]!.value);
  }
}

function integerOf(bytes: number): Type {
  return bytes === 8 ? 'i64' : bytes === 4 ? 'i32' : bytes === 2 ? 'i16' : 'i8';
}

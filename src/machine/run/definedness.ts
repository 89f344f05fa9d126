/**
 * How undefined bits (`state/undefined-bits.ts`) spread while a thread runs. Computing with them and copying them is
 * not an error; the result is undefined as far as it depends on them. The execution ends with an error where they
 * decide something: the condition of a branch, an assertion or an assumption, an address, a size, what is called,
 * joined or printed, the divisor of a division, the outcome of a compare-exchange.
 *
 * The interpreter asks before every instruction of a thread that has undefined bits; other threads need no checks.
 *
 * The undefined bits of a thread's result are kept until it is joined, in the header of its first frame.
 *
 * Direction of error: may miss uses of the status of `exit`.
 */
import type { BinaryOperator, Predicate } from '../../program/operators.ts';
import type { Code } from '../code/code.ts';
import { UNINITIALISED } from '../code/error.ts';
import { HEADER, INSTRUCTIONS, type InstructionForm, type OperandKind } from '../code/instruction-table.ts';
import * as op from '../code/opcodes.ts';
import { BITS, FLOAT, I1, I32, I64, WIDE } from '../code/type-codes.ts';
import { H_ERROR_ORIGIN, type Layout, T_TOP } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import type { Frames } from './frames.ts';
import {
  allBits,
  dependsOnUndefined,
  exchangeDependsOnUndefined,
  type Operand,
  undefinedByBinary,
  undefinedByChoice,
} from './undefined-results.ts';

/** By operation: the operands that must be defined. */
const USED: (readonly number[])[] = [];
/** By operation: the register to which it writes a value that is always defined. */
const DEFINES: (number | undefined)[] = [];
for (const form of INSTRUCTIONS) {
  USED[form.operation] = definedOperands(form, 'value');
  DEFINES[form.operation] = definedOperands(form, 'register')[0];
}

/** The positions of the operands of this kind that are marked as defined. */
function definedOperands({ operands }: InstructionForm, kind: OperandKind): readonly number[] {
  return operands.flatMap((operand, i) => (operand.isDefined && operand.kind === kind ? [HEADER + i] : []));
}

export class Definedness {
  readonly bits: UndefinedBits;
  private readonly code: Int32Array;
  private readonly words: Int32Array;
  private readonly state: State;
  private readonly frames: Frames;
  private readonly threads: Threads;
  private readonly layout: Layout;

  constructor(parts: { readonly code: Code; readonly state: State; readonly layout: Layout; readonly frames: Frames }) {
    this.bits = new UndefinedBits(parts.state, parts.layout);
    this.code = parts.code.words;
    this.words = parts.state.words;
    this.state = parts.state;
    this.frames = parts.frames;
    this.threads = new Threads(parts.state, parts.layout);
    this.layout = parts.layout;
  }

  /**
   * Called in a thread with undefined bits before the instruction at `pc` runs or, for a visible operation, when the
   * thread has reached it. Sets the undefined bits of the register that the instruction will write. False, with the
   * error set, if something depends on undefined bits.
   */
  before(thread: number, frame: number, pc: number): boolean {
    const { code } = this;
    const operation = code[pc]!;
    for (const place of USED[operation]!) {
      const value = code[pc + place]!;
      if (this.isUndefined(frame, this.usedType(pc, place), value)) return this.fail(thread, pc, frame + value);
    }
    switch (operation) {
      case op.MOVE:
        this.move(frame, code[pc + op.MOVE_TYPE]!, code[pc + op.MOVE_DEST]!, code[pc + op.MOVE_VALUE]!);
        return true;
      case op.SELECT:
        this.select(frame, pc);
        return true;
      case op.BINARY:
        return this.binary(thread, frame, pc);
      case op.COMPARE:
        this.compare(frame, pc);
        return true;
      case op.CAST:
        this.cast(frame, pc);
        return true;
      case op.UNARY:
        this.unary(frame, pc);
        return true;
      case op.CONVERT: {
        const value = code[pc + op.CONVERT_VALUE]!;
        if (this.isUndefined(frame, I64, value)) return this.fail(thread, pc, frame + value);
        break;
      }
      case op.RETURN:
        this.return(thread, frame, pc);
        return true;
      case op.EXITTHREAD:
        this.finish(thread, frame, code[pc + op.EXITTHREAD_TYPE]!, code[pc + op.EXITTHREAD_VALUE]!);
        return true;
    }
    const dest = DEFINES[operation];
    // A visible operation may never run; until it does, its register keeps its undefined bits.
    if (dest !== undefined && operation < op.VISIBLE) this.bits.setRegister(frame + code[pc + dest]!, 0, 0, 0);
    return true;
  }

  /** Called after a visible operation that is not an access has written its register. */
  after(frame: number, pc: number): void {
    const { code } = this;
    const dest = DEFINES[code[pc]!];
    if (dest !== undefined)
      this.define(frame, code[pc] === op.CHOOSE ? code[pc + op.CHOOSE_TYPE]! : I32, code[pc + dest]!);
  }

  /** Makes a variable's register undefined; the instruction is its declaration. */
  undefine(thread: number, frame: number, pc: number): void {
    const type = this.code[pc + op.UNDEFINE_TYPE]!;
    this.set(frame, type, this.code[pc + op.UNDEFINE_DEST]!, allBits(BITS[type]!), 0, this.site(thread, pc));
  }

  /** Called after a register was read from memory, with the undefined bits in `state`. */
  loaded(thread: number, frame: number, pc: number, type: number, dest: number, address: number): void {
    const { state } = this;
    const site = (state.undefinedLow | state.undefinedHigh) === 0 ? 0 : this.site(thread, pc);
    this.bits.setRegister(frame + dest, state.undefinedLow, address, site);
    if (WIDE[type] === 1) this.bits.setRegister(frame + dest + 1, state.undefinedHigh, address, site);
  }

  /** Makes a register defined. */
  define(frame: number, type: number, dest: number): void {
    this.bits.setRegister(frame + dest, 0, 0, 0);
    if (WIDE[type] === 1) this.bits.setRegister(frame + dest + 1, 0, 0, 0);
  }

  /** Leaves in `state` the undefined bits of this value, which is written to memory next. */
  storing(frame: number, type: number, value: number): void {
    const { state } = this;
    state.undefinedLow = value < 0 ? 0 : this.bits.ofRegister(frame + value);
    state.undefinedHigh = value < 0 || WIDE[type] === 0 ? 0 : this.bits.ofRegister(frame + value + 1);
  }

  /** Replaces the undefined bits of an old value, in `state`, by those of the modified value that is written next. */
  modifying(frame: number, operator: number, type: number, low: number, high: number, value: number): void {
    const { state } = this;
    const old = operand(BITS[type]!, low, high, state.undefinedLow, state.undefinedHigh);
    const name = op.RMW_OPERATORS[operator] as BinaryOperator;
    const result = undefinedByBinary(name, BITS[type]!, old, this.operand(frame, type, value));
    state.undefinedLow = Number(BigInt.asIntN(32, result));
    state.undefinedHigh = Number(BigInt.asIntN(32, result >> 32n));
  }

  /**
   * Whether the comparison of an old value depends on its undefined bits, which are in `state`. If so, sets the error.
   */
  decides(thread: number, frame: number, pc: number, address: number, compared: Compared): boolean {
    const { state } = this;
    const { type, predicate, low, high, value } = compared;
    const old = operand(BITS[type]!, low, high, state.undefinedLow, state.undefinedHigh);
    const other = this.operand(frame, type, value);
    const isExchange = this.code[pc] === op.CMPXCHG;
    const depends = isExchange
      ? exchangeDependsOnUndefined(BITS[type]!, old, other)
      : dependsOnUndefined(op.PREDICATES[predicate] as Predicate, BITS[type]!, old, other);
    if (!depends) return false;
    if (old.undefined === 0n) this.fail(thread, pc, frame + value);
    else this.failAt(thread, pc, address, this.site(thread, pc));
    return true;
  }

  /** Fails because memory at this address is not defined and has to be. */
  failAt(thread: number, pc: number, address: number, origin: number): void {
    this.state.set(H_ERROR_ORIGIN, origin);
    this.frames.fail(UNINITIALISED, thread, this.code[pc + op.SITE]!, address);
  }

  private site(thread: number, pc: number): number {
    return this.frames.userSite(thread, this.code[pc + op.SITE]!);
  }

  /** Fails because something depends on the register whose words start here. */
  private fail(thread: number, pc: number, word: number): false {
    const at = this.bits.ofRegister(word) === 0 ? word + 1 : word;
    this.failAt(thread, pc, this.bits.addressOf(at), this.bits.siteOf(at));
    return false;
  }

  private usedType(pc: number, place: number): number {
    const { code } = this;
    if (code[pc] === op.SWITCH) return code[pc + op.SWITCH_TYPE]!;
    return code[pc] === op.BRANCH && place === op.BRANCH_CONDITION ? I1 : I32;
  }

  private isUndefined(frame: number, type: number, value: number): boolean {
    if (value < 0) return false;
    const high = WIDE[type] === 1 ? this.bits.ofRegister(frame + value + 1) : 0;
    return (this.bits.ofRegister(frame + value) | high) !== 0;
  }

  private operand(frame: number, type: number, value: number): Operand {
    const wide = WIDE[type] === 1;
    return operand(
      BITS[type]!,
      this.frames.low(frame, value),
      wide ? this.frames.high(frame, value) : 0,
      value < 0 ? 0 : this.bits.ofRegister(frame + value),
      value < 0 || !wide ? 0 : this.bits.ofRegister(frame + value + 1),
    );
  }

  private set(frame: number, type: number, dest: number, undefinedBits: bigint, address: number, site: number): void {
    this.bits.setRegister(frame + dest, Number(BigInt.asIntN(32, undefinedBits)), address, site);
    if (WIDE[type] === 1) {
      this.bits.setRegister(frame + dest + 1, Number(BigInt.asIntN(32, undefinedBits >> 32n)), address, site);
    }
  }

  /** Sets the undefined bits of a result, which come from the first of these operands that has some. */
  private setResult(frame: number, type: number, dest: number, result: bigint, from: number, of: number): void {
    const source = [from, of].find((value) => value >= 0 && this.bits.ofRegister(frame + value) !== 0);
    const high = [from, of].find((value) => value >= 0 && this.bits.ofRegister(frame + value + 1) !== 0);
    const at = source ?? (high === undefined ? undefined : high + 1);
    if (at === undefined || result === 0n) return this.define(frame, type, dest);
    this.set(frame, type, dest, result, this.bits.addressOf(frame + at), this.bits.siteOf(frame + at));
  }

  private move(frame: number, type: number, dest: number, value: number): void {
    if (value < 0) return this.define(frame, type, dest);
    // Word by word, since registers overlap only with themselves.
    this.bits.copyRegister(frame + dest, frame + value);
    if (WIDE[type] === 1) this.bits.copyRegister(frame + dest + 1, frame + value + 1);
  }

  /** Clang's optimiser makes selects of branches, even of some that are never reached. So a select decides nothing. */
  private select(frame: number, pc: number): void {
    const { code } = this;
    const [type, dest] = [code[pc + op.SELECT_TYPE]!, code[pc + op.SELECT_DEST]!];
    const condition = code[pc + op.SELECT_CONDITION]!;
    const [ifTrue, ifFalse] = [code[pc + op.SELECT_IF_TRUE]!, code[pc + op.SELECT_IF_FALSE]!];
    if (!this.isUndefined(frame, I1, condition))
      return this.move(frame, type, dest, this.frames.low(frame, condition) === 0 ? ifFalse : ifTrue);
    const result = undefinedByChoice(this.operand(frame, type, ifTrue), this.operand(frame, type, ifFalse));
    this.setResult(frame, type, dest, result, condition, condition);
  }

  private binary(thread: number, frame: number, pc: number): boolean {
    const { code } = this;
    const type = code[pc + op.BINARY_TYPE]!;
    const dest = code[pc + op.BINARY_DEST]!;
    const [left, right] = [code[pc + op.BINARY_LEFT]!, code[pc + op.BINARY_RIGHT]!];
    const [a, b] = [this.isUndefined(frame, type, left), this.isUndefined(frame, type, right)];
    if (!a && !b) {
      this.define(frame, type, dest);
      return true;
    }
    const name = op.BINARY_OPERATORS[code[pc + op.BINARY_OPERATOR]!] as BinaryOperator;
    if (b && /^[us](div|rem)$/.test(name)) return this.fail(thread, pc, frame + right);
    const result = undefinedByBinary(
      name,
      BITS[type]!,
      this.operand(frame, type, left),
      this.operand(frame, type, right),
    );
    this.setResult(frame, type, dest, result, a ? left : right, right);
    return true;
  }

  private compare(frame: number, pc: number): void {
    const { code } = this;
    const type = code[pc + op.COMPARE_TYPE]!;
    const dest = code[pc + op.COMPARE_DEST]!;
    const [left, right] = [code[pc + op.COMPARE_LEFT]!, code[pc + op.COMPARE_RIGHT]!];
    const [a, b] = [this.isUndefined(frame, type, left), this.isUndefined(frame, type, right)];
    if (!a && !b) return this.define(frame, I1, dest);
    const name = op.PREDICATES[code[pc + op.COMPARE_PREDICATE]!] as Predicate;
    const depends = dependsOnUndefined(
      name,
      BITS[type]!,
      this.operand(frame, type, left),
      this.operand(frame, type, right),
    );
    this.setResult(frame, I1, dest, depends ? 1n : 0n, a ? left : right, right);
  }

  private cast(frame: number, pc: number): void {
    const { code } = this;
    const [from, to] = [code[pc + op.CAST_FROM]!, code[pc + op.CAST_TO]!];
    const [dest, value] = [code[pc + op.CAST_DEST]!, code[pc + op.CAST_VALUE]!];
    if (!this.isUndefined(frame, from, value)) return this.define(frame, to, dest);
    const { undefined: of } = this.operand(frame, from, value);
    this.setResult(
      frame,
      to,
      dest,
      this.undefinedByCast(op.CAST_OPERATORS[code[pc + op.CAST_OPERATOR]!]!, from, to, of),
      value,
      value,
    );
  }

  private undefinedByCast(name: string, from: number, to: number, of: bigint): bigint {
    switch (name) {
      case 'trunc':
      case 'zext':
      case 'bitcast':
        return of & allBits(BITS[to]!);
      case 'sext':
        return BigInt.asUintN(BITS[to]!, BigInt.asIntN(BITS[from]!, of));
      default:
        return allBits(BITS[to]!);
    }
  }

  private unary(frame: number, pc: number): void {
    const { code } = this;
    const type = code[pc + op.UNARY_TYPE]!;
    const value = code[pc + op.UNARY_VALUE]!;
    const dest = code[pc + op.UNARY_DEST]!;
    if (!this.isUndefined(frame, type, value)) return this.define(frame, type, dest);
    const { undefined: of } = this.operand(frame, type, value);
    const name = op.UNARY_OPERATORS[code[pc + op.UNARY_OPERATOR]!]!;
    if (name === 'settle') return this.define(frame, type, dest);
    const result = FLOAT[type] === 0 && name === 'bswap' ? swapped(of, BITS[type]!) : allBits(BITS[type]!);
    this.setResult(frame, type, dest, result, value, value);
  }

  private return(thread: number, frame: number, pc: number): void {
    const { code, words, bits } = this;
    const type = code[pc + op.RETURN_TYPE]!;
    const value = code[pc + op.RETURN_VALUE]!;
    if (words[frame + op.FRAME_RETURN]! < 0) return this.finish(thread, frame, type, value);
    const dest = words[frame + op.FRAME_DEST]!;
    if (type >= 0 && dest >= 0) {
      const to = words[frame + op.FRAME_CALLER]! + dest;
      for (let i = 0; i <= WIDE[type]!; i++) {
        if (value < 0) bits.setRegister(to + i, 0, 0, 0);
        else bits.copyRegister(to + i, frame + value + i);
      }
    }
    bits.clearRegisters(frame, this.threads.get(thread, T_TOP));
  }

  /** The thread ends with this result, of type `type` (-1 = none). */
  private finish(thread: number, frame: number, type: number, value: number): void {
    const { bits } = this;
    const from = value < 0 ? [] : Array.from({ length: type < 0 ? 0 : 1 + WIDE[type]! }, (_, i) => frame + value + i);
    const result = from.map((word) => [bits.ofRegister(word), bits.addressOf(word), bits.siteOf(word)] as const);
    bits.clearRegisters(this.resultOf(thread), this.threads.get(thread, T_TOP));
    for (const [i, word] of result.entries()) bits.setRegister(this.resultOf(thread) + i, ...word);
  }

  /** Called after a register was set to another thread's result. */
  joined(other: number, frame: number, type: number, dest: number): void {
    for (let i = 0; i <= WIDE[type]!; i++) this.bits.copyRegister(frame + dest + i, this.resultOf(other) + i);
  }

  /** The header of the thread's first frame, which has room for the undefined bits of a result. */
  private resultOf(thread: number): number {
    return this.layout.frames + thread * this.layout.limits.frameWords;
  }
}

/** A comparison of an old value from memory with an operand. */
interface Compared {
  readonly type: number;
  readonly predicate: number;
  readonly low: number;
  readonly high: number;
  readonly value: number;
}

function operand(bits: number, low: number, high: number, undefinedLow: number, undefinedHigh: number): Operand {
  return { value: unsigned(bits, low, high), undefined: unsigned(bits, undefinedLow, undefinedHigh) };
}

function unsigned(bits: number, low: number, high: number): bigint {
  if (bits <= 32) return BigInt.asUintN(bits, BigInt(low));
  return BigInt.asUintN(32, BigInt(low)) | (BigInt.asUintN(32, BigInt(high)) << 32n);
}

function swapped(of: bigint, bits: number): bigint {
  let result = 0n;
  for (let i = 0; i < bits; i += 8) result |= ((of >> BigInt(i)) & 0xffn) << BigInt(bits - 8 - i);
  return result;
}

/**
 * Runs a thread's local instructions up to its next visible operation: a plain loop over `code.ts`. It keeps nothing of
 * its own; registers, frames and the program counter are words of the state.
 */
import { isFloat, sizeOf, TYPES } from '../program/types.ts';
import {
  binary32,
  binary64,
  binaryFloat,
  compare32,
  compare64,
  compareFloat,
  floatToInteger,
  lowWord,
  normalise,
  SDIV,
  SREM,
  UDIV,
  unaryFloat,
  unaryInteger,
  unsigned,
} from './arithmetic.ts';
import * as op from './code.ts';
import {
  ASSERTION_FAILED,
  ASSERTION_WITH_TEXT,
  BAD_CALL,
  BAD_DETACH,
  DIVISION_BY_ZERO,
  DIVISION_OVERFLOW,
  DOUBLE_FREE,
  LIMIT_HEAP,
  LIMIT_LOCAL_STEPS,
  MISUSE_WITH_TEXT,
  STACK_OVERFLOW,
  UNREACHABLE_REACHED,
  USE_AFTER_FREE,
} from './error.ts';
import { fail, reachLimit } from './fault.ts';
import {
  ASSUME_BLOCKED,
  DETACHED,
  FINISHED,
  type Layout,
  O_SIZE,
  T_FLAGS,
  T_FRAME,
  T_PC,
  T_RESULT,
  T_STACK,
  T_STATUS,
  T_TOP,
} from './layout.ts';
import { Objects } from './objects.ts';
import { type Printer, PrintFault } from './printer.ts';
import type { ProcessTable } from './process.ts';
import type { State } from './state.ts';
import { Threads } from './thread.ts';

// Type codes, and by code: bits of an integer, whether it takes two words, whether it is a float.
const BITS: readonly number[] = TYPES.map((t) => (t === 'i1' ? 1 : sizeOf(t) * 8));
const SIZES: readonly number[] = TYPES.map(sizeOf);
const WIDE: readonly boolean[] = TYPES.map((t) => sizeOf(t) === 8);
const FLOAT: readonly boolean[] = TYPES.map(isFloat);
const I64 = 4;
const F32 = 5;

/** Conversions between words and 64-bit or floating-point values go through here. */
const scratch = new ArrayBuffer(8);
const scratchBytes = new Uint8Array(scratch);
const scratchWords = new Int32Array(scratch);
const scratchBigint = new BigInt64Array(scratch);
const scratchFloat = new Float32Array(scratch);
const scratchDouble = new Float64Array(scratch);

export function toBigint(low: number, high: number): bigint {
  scratchWords[0] = low;
  scratchWords[1] = high;
  return scratchBigint[0]!;
}

export class Interpreter {
  private readonly code: op.Code;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly threads: Threads;
  private readonly objects: Objects;
  private readonly processes: ProcessTable;
  private readonly printer: Printer;
  /** Frame of the thread that is running. */
  private frame = 0;

  constructor(code: op.Code, state: State, layout: Layout, processes: ProcessTable, printer: Printer) {
    this.code = code;
    this.state = state;
    this.words = state.words;
    this.layout = layout;
    this.threads = new Threads(state, layout);
    this.objects = new Objects(state, layout);
    this.processes = processes;
    this.printer = printer;
  }

  /** The low word of a value field, in the frame at `frame`. */
  low(frame: number, value: number): number {
    return value >= 0 ? this.words[frame + value]! : this.code.pool[~value]!;
  }

  high(frame: number, value: number): number {
    return value >= 0 ? this.words[frame + value + 1]! : this.code.pool[~value + 1]!;
  }

  private bigint(value: number): bigint {
    return toBigint(this.low(this.frame, value), this.high(this.frame, value));
  }

  private float(type: number, value: number): number {
    scratchWords[0] = this.low(this.frame, value);
    if (type === F32) return scratchFloat[0]!;
    scratchWords[1] = this.high(this.frame, value);
    return scratchDouble[0]!;
  }

  /** Writes a register of the frame at `frame`. */
  setRegister(frame: number, type: number, dest: number, low: number, high: number): void {
    this.state.set(frame + dest, low);
    if (WIDE[type]!) this.state.set(frame + dest + 1, high);
  }

  private setBigint(dest: number, value: bigint): void {
    scratchBigint[0] = value;
    this.setRegister(this.frame, I64, dest, scratchWords[0]!, scratchWords[1]!);
  }

  private setFloat(type: number, dest: number, value: number): void {
    if (type === F32) {
      scratchFloat[0] = value;
      this.state.set(this.frame + dest, scratchWords[0]!);
    } else {
      scratchDouble[0] = value;
      this.setRegister(this.frame, type, dest, scratchWords[0]!, scratchWords[1]!);
    }
  }

  private setInteger(type: number, dest: number, value: bigint): void {
    if (type === I64) this.setBigint(dest, BigInt.asIntN(64, value));
    else this.state.set(this.frame + dest, normalise(lowWord(value), BITS[type]!));
  }

  /**
   * Pushes a frame for function `index` with arguments `(type value)*` at `args` in the code, read in the frame
   * `caller`. False, with the error set, if the function does not take them or the stack is full.
   */
  enter(
    thread: number,
    site: number,
    index: number,
    caller: number,
    args: number,
    count: number,
    returnTo: number,
    dest: number,
  ): boolean {
    const { state, code, threads } = this;
    const func = code.functions[index];
    const parameters = code.program.functions[index]?.parameters;
    // Arguments that the function does not take are dropped, as in C for one declared without parameters.
    if (func === undefined || parameters === undefined || parameters > count) {
      this.fail(BAD_CALL, thread, site, op.functionAddress(index));
      return false;
    }
    const base = threads.get(thread, T_TOP);
    const end = this.layout.frames + (thread + 1) * this.layout.limits.frameWords;
    if (base + func.frameWords > end) {
      this.fail(STACK_OVERFLOW, thread, site);
      return false;
    }
    for (let i = 0; i < func.frameWords; i++) if (this.words[base + i] !== 0) state.set(base + i, 0);
    state.set(base + op.FRAME_RETURN, returnTo);
    state.set(base + op.FRAME_CALLER, caller);
    state.set(base + op.FRAME_DEST, dest);
    state.set(base + op.FRAME_SITE, site);
    state.set(base + op.FRAME_STACK, threads.get(thread, T_STACK));
    for (let i = 0; i < parameters; i++) {
      const type = code.words[args + 2 * i]!;
      const value = code.words[args + 2 * i + 1]!;
      if (TYPES[type] !== func.types[i]) {
        this.fail(BAD_CALL, thread, site, op.functionAddress(index));
        return false;
      }
      const high = WIDE[type]! ? this.high(caller, value) : 0;
      this.setRegister(base, type, func.offsets[i]!, this.low(caller, value), high);
    }
    threads.set(thread, T_FRAME, base);
    threads.set(thread, T_TOP, base + func.frameWords);
    return true;
  }

  /** Where the user would look for what happens at `site`: the innermost place that is not in our library. */
  userSite(thread: number, site: number): number {
    const { functions } = this.code.program;
    let at = site;
    let frame = this.threads.get(thread, T_FRAME);
    while (frame !== 0 && functions[this.code.sites[at]!.func]!.isLibrary === true) {
      at = this.words[frame + op.FRAME_SITE]!;
      frame = this.words[frame + op.FRAME_CALLER]!;
    }
    return at;
  }

  private failAssertion(thread: number, pc: number): void {
    const code = this.code.words;
    const text = code[pc + 4]!;
    if (text === op.NO_TEXT) return this.fail(ASSERTION_FAILED, thread, code[pc + 1]!, code[pc + 3]!);
    this.fail(
      code[pc + 5] === 0 ? ASSERTION_WITH_TEXT : MISUSE_WITH_TEXT,
      thread,
      code[pc + 1]!,
      this.low(this.frame, text),
    );
  }

  private fail(error: number, thread: number, site: number, detail = 0): void {
    fail(this.state, error, thread, this.userSite(thread, site), detail);
  }

  /** Runs until the thread stands before a visible operation, has ended, is blocked or has failed. */
  advance(thread: number): void {
    const { state, threads } = this;
    const code = this.code.words;
    let pc = threads.get(thread, T_PC);
    this.frame = threads.get(thread, T_FRAME);
    for (let budget = this.layout.limits.localSteps; ; budget--) {
      const operation = code[pc]!;
      if (operation >= op.VISIBLE) break;
      if (budget === 0) {
        reachLimit(state, LIMIT_LOCAL_STEPS);
        break;
      }
      const site = code[pc + 1]!;
      const frame = this.frame;
      switch (operation) {
        case op.MOVE: {
          const type = code[pc + 2]!;
          const value = code[pc + 4]!;
          const high = WIDE[type]! ? this.high(frame, value) : 0;
          this.setRegister(frame, type, code[pc + 3]!, this.low(frame, value), high);
          pc += 5;
          break;
        }
        case op.BINARY:
          if (!this.binary(thread, pc)) return;
          pc += 7;
          break;
        case op.UNARY:
          this.unary(code[pc + 2]!, code[pc + 3]!, code[pc + 4]!, code[pc + 5]!);
          pc += 6;
          break;
        case op.COMPARE:
          this.compare(pc);
          pc += 7;
          break;
        case op.CAST:
          this.cast(code[pc + 2]!, code[pc + 3]!, code[pc + 4]!, code[pc + 5]!, code[pc + 6]!);
          pc += 7;
          break;
        case op.SELECT: {
          const type = code[pc + 2]!;
          const value = this.low(frame, code[pc + 4]!) !== 0 ? code[pc + 5]! : code[pc + 6]!;
          const high = WIDE[type]! ? this.high(frame, value) : 0;
          this.setRegister(frame, type, code[pc + 3]!, this.low(frame, value), high);
          pc += 7;
          break;
        }
        case op.ALLOCA: {
          const address = this.objects.allocateOnStack(thread, code[pc + 3]!, code[pc + 4]!, site);
          if (address < 0) return this.fail(STACK_OVERFLOW, thread, site);
          state.set(frame + code[pc + 2]!, address);
          pc += 5;
          break;
        }
        case op.CALL: {
          const callee = -1 - this.low(frame, code[pc + 4]!);
          const count = code[pc + 5]!;
          if (!this.enter(thread, site, callee, frame, pc + 6, count, pc + 6 + 2 * count, code[pc + 3]!)) return;
          // A caller that expects a result, of a function reached through a pointer that gives none or another type.
          const result = this.code.program.functions[callee]!.result;
          const expected = code[pc + 2]!;
          if (expected >= 0 && TYPES[expected] !== result) return this.fail(BAD_CALL, thread, site, -1 - callee);
          this.frame = threads.get(thread, T_FRAME);
          pc = this.code.functions[callee]!.entry;
          break;
        }
        case op.ASSERT:
          if (this.low(frame, code[pc + 2]!) === 0) return this.failAssertion(thread, pc);
          pc += 6;
          break;
        case op.ASSUME:
          if (this.low(frame, code[pc + 2]!) === 0) {
            threads.set(thread, T_PC, pc);
            threads.set(thread, T_STATUS, ASSUME_BLOCKED);
            return;
          }
          pc += 3;
          break;
        case op.JUMP:
          pc = code[pc + 2]!;
          break;
        case op.BRANCH:
          pc = this.low(frame, code[pc + 2]!) !== 0 ? code[pc + 3]! : code[pc + 4]!;
          break;
        case op.SWITCH:
          pc = this.switchTarget(pc);
          break;
        case op.RETURN: {
          const returnTo = this.leave(thread, code[pc + 2]!, code[pc + 3]!);
          if (returnTo < 0) {
            threads.set(thread, T_STATUS, FINISHED);
            return;
          }
          pc = returnTo;
          break;
        }
        case op.EXITTHREAD: {
          const type = code[pc + 2]!;
          const value = code[pc + 3]!;
          threads.set(thread, T_RESULT, type < 0 ? 0 : this.low(frame, value));
          threads.set(thread, T_RESULT + 1, type < 0 || !WIDE[type]! ? 0 : this.high(frame, value));
          threads.set(thread, T_STATUS, FINISHED);
          return;
        }
        case op.ALLOCATE: {
          const size = this.low(frame, code[pc + 4]!);
          const address = this.objects.allocate(
            thread,
            size,
            code[pc + 2] === op.HEAP_OBJECT,
            this.userSite(thread, site),
            this.low(frame, code[pc + 5]!),
          );
          if (address < 0) return reachLimit(state, LIMIT_HEAP, size);
          state.set(frame + code[pc + 3]!, address);
          pc += 6;
          break;
        }
        case op.EXTENT: {
          const address = this.low(frame, code[pc + 3]!);
          const error = this.objects.checkFree(address);
          if (error !== 0) return this.fail(error === DOUBLE_FREE ? USE_AFTER_FREE : error, thread, site, address);
          state.set(frame + code[pc + 2]!, this.objects.header(address, O_SIZE));
          pc += 4;
          break;
        }
        case op.PEEK: {
          const type = code[pc + 2]!;
          const address = this.low(frame, code[pc + 4]!);
          const error = this.objects.check(address, SIZES[type]!);
          if (error !== 0) return this.fail(error, thread, site, address);
          state.read(address, SIZES[type]!);
          const low = BITS[type]! < 32 ? normalise(state.low, BITS[type]!) : state.low;
          this.setRegister(frame, type, code[pc + 3]!, low, state.high);
          pc += 5;
          break;
        }
        case op.GLANCE: {
          if (!this.glance(thread, pc)) return;
          pc += 5;
          break;
        }
        case op.DETACH: {
          const slot = this.processes.slotOfHandle(this.low(frame, code[pc + 2]!));
          const isThread = slot >= 0 && threads.exists(slot);
          if (!isThread || threads.get(slot, T_FLAGS) !== 0) {
            return this.fail(BAD_DETACH, thread, site, this.low(frame, code[pc + 2]!));
          }
          threads.set(slot, T_FLAGS, DETACHED);
          pc += 3;
          break;
        }
        case op.POKE: {
          const type = code[pc + 2]!;
          const address = this.low(frame, code[pc + 3]!);
          const error = this.objects.check(address, SIZES[type]!);
          if (error !== 0) return this.fail(error, thread, site, address);
          const value = code[pc + 4]!;
          state.write(address, SIZES[type]!, this.low(frame, value), WIDE[type]! ? this.high(frame, value) : 0);
          pc += 5;
          break;
        }
        case op.THREADLOCAL:
          state.set(
            frame + code[pc + 2]!,
            this.layout.threadLocals + thread * this.layout.threadLocalBytes + code[pc + 3]!,
          );
          pc += 4;
          break;
        case op.SELF:
          state.set(frame + code[pc + 2]!, this.processes.handle(thread));
          pc += 3;
          break;
        case op.PRINT: {
          if (!this.print(thread, pc)) return;
          pc += 5;
          break;
        }
        case op.UNREACHABLE:
          return this.fail(UNREACHABLE_REACHED, thread, site);
        default:
          throw new Error(`no such operation: ${operation}`);
      }
    }
    threads.set(thread, T_PC, pc);
  }

  private binary(thread: number, pc: number): boolean {
    const code = this.code.words;
    const operator = code[pc + 2]!;
    const type = code[pc + 3]!;
    const dest = code[pc + 4]!;
    const left = code[pc + 5]!;
    const right = code[pc + 6]!;
    if (FLOAT[type]!) {
      this.setFloat(type, dest, binaryFloat(operator, this.float(type, left), this.float(type, right)));
    } else if (type === I64) {
      const a = this.bigint(left);
      const b = this.bigint(right);
      if (
        isDivision(operator) &&
        !this.divisible(thread, code[pc + 1]!, operator, b === 0n, b === -1n && a === -(1n << 63n))
      )
        return false;
      this.setBigint(dest, binary64(operator, a, b));
    } else {
      const bits = BITS[type]!;
      const a = this.low(this.frame, left);
      const b = this.low(this.frame, right);
      if (
        isDivision(operator) &&
        !this.divisible(thread, code[pc + 1]!, operator, b === 0, b === -1 && a === -(2 ** (bits - 1)))
      )
        return false;
      this.state.set(this.frame + dest, binary32(operator, bits, a, b));
    }
    return true;
  }

  private divisible(thread: number, site: number, operator: number, byZero: boolean, overflows: boolean): boolean {
    if (byZero) this.fail(DIVISION_BY_ZERO, thread, site);
    else if (overflows && (operator === SDIV || operator === SREM)) this.fail(DIVISION_OVERFLOW, thread, site);
    else return true;
    return false;
  }

  /** Byte by byte, because some may still be in the own buffer. */
  private glance(thread: number, pc: number): boolean {
    const code = this.code.words;
    const type = code[pc + 2]!;
    const address = this.low(this.frame, code[pc + 4]!);
    scratchBigint[0] = 0n;
    for (let i = 0; i < SIZES[type]!; i++) {
      const error = this.printer.checker!(thread, address + i);
      if (error !== 0) {
        this.fail(error, thread, code[pc + 1]!, address);
        return false;
      }
      scratchBytes[i] = this.printer.reader!(thread, address + i);
    }
    const low = BITS[type]! < 32 ? normalise(scratchWords[0]!, BITS[type]!) : scratchWords[0]!;
    this.setRegister(this.frame, type, code[pc + 3]!, low, scratchWords[1]!);
    return true;
  }

  private print(thread: number, pc: number): boolean {
    const code = this.code.words;
    try {
      const text = this.printer.format(
        thread,
        this.low(this.frame, code[pc + 3]!),
        this.low(this.frame, code[pc + 4]!),
      );
      this.printer.print(thread, text);
      if (code[pc + 2]! >= 0) this.state.set(this.frame + code[pc + 2]!, text.length);
      return true;
    } catch (fault) {
      if (!(fault instanceof PrintFault)) throw fault;
      this.fail(fault.error, thread, code[pc + 1]!, fault.address);
      return false;
    }
  }

  private unary(operator: number, type: number, dest: number, value: number): void {
    if (FLOAT[type]!) return this.setFloat(type, dest, unaryFloat(operator, this.float(type, value)));
    const bits = type === I64 ? this.bigint(value) : BigInt(this.low(this.frame, value));
    this.setInteger(type, dest, unaryInteger(operator, BITS[type]!, bits));
  }

  private compare(pc: number): void {
    const code = this.code.words;
    const predicate = code[pc + 2]!;
    const type = code[pc + 3]!;
    const left = code[pc + 5]!;
    const right = code[pc + 6]!;
    let holds: number;
    if (FLOAT[type]!) holds = compareFloat(predicate, this.float(type, left), this.float(type, right));
    else if (type === I64) holds = compare64(predicate, this.bigint(left), this.bigint(right));
    else holds = compare32(predicate, BITS[type]!, this.low(this.frame, left), this.low(this.frame, right));
    this.state.set(this.frame + code[pc + 4]!, holds);
  }

  private cast(operator: number, from: number, to: number, dest: number, value: number): void {
    switch (op.CAST_OPERATORS[operator]) {
      case 'trunc':
      case 'sext': {
        // An i1 is kept as 0 or 1, but sign-extends to 0 or -1.
        const low = from === 0 ? -this.low(this.frame, value) : this.low(this.frame, value);
        if (to === I64) this.setBigint(dest, BigInt(low));
        else this.state.set(this.frame + dest, normalise(low, BITS[to]!));
        return;
      }
      case 'zext': {
        const low = unsigned(this.low(this.frame, value), BITS[from]!);
        if (to === I64) this.setBigint(dest, BigInt(low));
        else this.state.set(this.frame + dest, low | 0);
        return;
      }
      case 'fptrunc':
      case 'fpext':
        return this.setFloat(to, dest, this.float(from, value));
      case 'fptosi':
      case 'fptoui': {
        const signed = op.CAST_OPERATORS[operator] === 'fptosi';
        return this.setInteger(to, dest, floatToInteger(this.float(from, value), BITS[to]!, signed));
      }
      case 'sitofp':
      case 'uitofp': {
        const signed = op.CAST_OPERATORS[operator] === 'sitofp';
        if (from === I64) {
          const integer = this.bigint(value);
          return this.setFloat(to, dest, this.fromBigint(to, signed ? integer : BigInt.asUintN(64, integer)));
        }
        const low = this.low(this.frame, value);
        return this.setFloat(to, dest, signed ? (from === 0 ? -low : low) : unsigned(low, BITS[from]!));
      }
      case 'bitcast': {
        const high = WIDE[from]! ? this.high(this.frame, value) : 0;
        return this.setRegister(this.frame, to, dest, this.low(this.frame, value), high);
      }
      default:
        throw new Error(`no such cast: ${operator}`);
    }
  }

  /** Rounds once: going to f32 through a double would round twice. */
  private fromBigint(to: number, value: bigint): number {
    if (to !== F32) return Number(value);
    const double = Number(value);
    if (BigInt(double) === value) return Math.fround(double);
    // Put a sticky bit where the double lost bits, so that the second rounding sees which side the value was on.
    const magnitude = value < 0n ? -value : value;
    const shift = BigInt(magnitude.toString(2).length - 53);
    const sticky = (magnitude >> shift) | 1n;
    const rounded = Math.fround(Number(sticky)) * 2 ** Number(shift);
    return value < 0n ? -rounded : rounded;
  }

  private switchTarget(pc: number): number {
    const code = this.code.words;
    const wide = WIDE[code[pc + 2]!]!;
    const value = code[pc + 3]!;
    const low = this.low(this.frame, value);
    const high = wide ? this.high(this.frame, value) : 0;
    const count = code[pc + 5]!;
    for (let i = 0, at = pc + 6; i < count; i++, at += 3) {
      if (code[at] === low && (!wide || code[at + 1] === high)) return code[at + 2]!;
    }
    return code[pc + 4]!;
  }

  /** Pops the frame and hands over the result. Returns where to go on, or -1 if the thread is at its end. */
  private leave(thread: number, type: number, value: number): number {
    const { words, threads } = this;
    const frame = this.frame;
    const low = type < 0 ? 0 : this.low(frame, value);
    const high = type < 0 || !WIDE[type]! ? 0 : this.high(frame, value);
    this.objects.unwindStack(thread, words[frame + op.FRAME_STACK]!);
    const returnTo = words[frame + op.FRAME_RETURN]!;
    if (returnTo < 0) {
      // The last frame stays: the registers of a litmus thread are read from it.
      threads.set(thread, T_RESULT, low);
      threads.set(thread, T_RESULT + 1, high);
      return -1;
    }
    const caller = words[frame + op.FRAME_CALLER]!;
    const dest = words[frame + op.FRAME_DEST]!;
    if (dest >= 0) this.setRegister(caller, type, dest, low, high);
    threads.set(thread, T_FRAME, caller);
    threads.set(thread, T_TOP, frame);
    this.frame = caller;
    return returnTo;
  }
}

function isDivision(operator: number): boolean {
  return operator >= UDIV && operator <= SREM;
}

/**
 * Computes arithmetic, comparisons and conversions on registers of a frame. `arithmetic.ts` defines the operators; here
 * values are converted between words and numbers.
 */
import {
  addressOf,
  binary32,
  binary64,
  binaryFloat,
  compare32,
  compare64,
  compareFloat,
  floatToInteger,
  isDivision,
  lowWord,
  normalise,
  SDIV,
  SREM,
  unaryFloat,
  unaryInteger,
  unsigned,
} from '../code/arithmetic.ts';
import type { Code } from '../code/code.ts';
import { DIVISION_BY_ZERO, DIVISION_OVERFLOW } from '../code/error.ts';
import * as op from '../code/opcodes.ts';
import { BITS, F32, FLOAT, I1, I64, WIDE } from '../code/type-codes.ts';
import type { State } from '../state/state.ts';
import type { Frames } from './frames.ts';

/** Conversions between words and 64-bit or floating-point values go through here. */
const scratch = new ArrayBuffer(8);
const scratchWords = new Int32Array(scratch);
const scratchBigint = new BigInt64Array(scratch);
const scratchFloat = new Float32Array(scratch);
const scratchDouble = new Float64Array(scratch);

export function toBigint(low: number, high: number): bigint {
  scratchWords[0] = low;
  scratchWords[1] = high;
  return scratchBigint[0]!;
}

const TRUNC = op.CAST_OPERATORS.indexOf('trunc');
const ZEXT = op.CAST_OPERATORS.indexOf('zext');
const SEXT = op.CAST_OPERATORS.indexOf('sext');
const ADDRESS = op.CAST_OPERATORS.indexOf('address');

export class Evaluator {
  private readonly code: Int32Array;
  private readonly state: State;
  private readonly frames: Frames;

  constructor(code: Code, state: State, frames: Frames) {
    this.code = code.words;
    this.state = state;
    this.frames = frames;
  }

  private bigint(frame: number, value: number): bigint {
    return toBigint(this.frames.low(frame, value), this.frames.high(frame, value));
  }

  private float(frame: number, type: number, value: number): number {
    scratchWords[0] = this.frames.low(frame, value);
    if (type === F32) return scratchFloat[0]!;
    scratchWords[1] = this.frames.high(frame, value);
    return scratchDouble[0]!;
  }

  private setBigint(frame: number, dest: number, value: bigint): void {
    scratchBigint[0] = value;
    this.frames.set(frame, I64, dest, scratchWords[0]!, scratchWords[1]!);
  }

  private setFloat(frame: number, type: number, dest: number, value: number): void {
    if (type === F32) {
      scratchFloat[0] = value;
      this.state.set(frame + dest, scratchWords[0]!);
    } else {
      scratchDouble[0] = value;
      this.frames.set(frame, type, dest, scratchWords[0]!, scratchWords[1]!);
    }
  }

  private setInteger(frame: number, type: number, dest: number, value: bigint): void {
    if (type === I64) this.setBigint(frame, dest, BigInt.asIntN(64, value));
    else this.state.set(frame + dest, normalise(lowWord(value), BITS[type]!));
  }

  /** False, with the error set, for an invalid division. */
  binary(thread: number, frame: number, pc: number): boolean {
    const { code, frames } = this;
    const operator = code[pc + op.BINARY_OPERATOR]!;
    const type = code[pc + op.BINARY_TYPE]!;
    const dest = code[pc + op.BINARY_DEST]!;
    const left = code[pc + op.BINARY_LEFT]!;
    const right = code[pc + op.BINARY_RIGHT]!;
    if (FLOAT[type] === 1) {
      this.setFloat(
        frame,
        type,
        dest,
        binaryFloat(operator, this.float(frame, type, left), this.float(frame, type, right)),
      );
    } else if (type === I64) {
      const a = this.bigint(frame, left);
      const b = this.bigint(frame, right);
      if (isDivision(operator) && !this.divisible(thread, pc, b === 0n, b === -1n && a === -(1n << 63n))) return false;
      this.setBigint(frame, dest, binary64(operator, a, b));
    } else {
      const bits = BITS[type]!;
      const a = frames.low(frame, left);
      const b = frames.low(frame, right);
      if (isDivision(operator) && !this.divisible(thread, pc, b === 0, b === -1 && a === -(2 ** (bits - 1)))) {
        return false;
      }
      this.state.set(frame + dest, binary32(operator, bits, a, b));
    }
    return true;
  }

  private divisible(thread: number, pc: number, byZero: boolean, overflows: boolean): boolean {
    const operator = this.code[pc + op.BINARY_OPERATOR]!;
    const site = this.code[pc + op.SITE]!;
    if (byZero) this.frames.fail(DIVISION_BY_ZERO, thread, site);
    else if (overflows && (operator === SDIV || operator === SREM)) this.frames.fail(DIVISION_OVERFLOW, thread, site);
    else return true;
    return false;
  }

  unary(frame: number, pc: number): void {
    const { code } = this;
    const operator = code[pc + op.UNARY_OPERATOR]!;
    const type = code[pc + op.UNARY_TYPE]!;
    const dest = code[pc + op.UNARY_DEST]!;
    const value = code[pc + op.UNARY_VALUE]!;
    if (FLOAT[type] === 1) {
      return this.setFloat(frame, type, dest, unaryFloat(operator, this.float(frame, type, value)));
    }
    const bits = type === I64 ? this.bigint(frame, value) : BigInt(this.frames.low(frame, value));
    this.setInteger(frame, type, dest, unaryInteger(operator, BITS[type]!, bits));
  }

  compare(frame: number, pc: number): void {
    const { code, frames } = this;
    const predicate = code[pc + op.COMPARE_PREDICATE]!;
    const type = code[pc + op.COMPARE_TYPE]!;
    const left = code[pc + op.COMPARE_LEFT]!;
    const right = code[pc + op.COMPARE_RIGHT]!;
    let holds: number;
    if (FLOAT[type] === 1) {
      holds = compareFloat(predicate, this.float(frame, type, left), this.float(frame, type, right));
    } else if (type === I64) holds = compare64(predicate, this.bigint(frame, left), this.bigint(frame, right));
    else holds = compare32(predicate, BITS[type]!, frames.low(frame, left), frames.low(frame, right));
    this.state.set(frame + code[pc + op.COMPARE_DEST]!, holds);
  }

  cast(frame: number, pc: number): void {
    const { code, frames } = this;
    const operator = code[pc + op.CAST_OPERATOR]!;
    const from = code[pc + op.CAST_FROM]!;
    const to = code[pc + op.CAST_TO]!;
    const dest = code[pc + op.CAST_DEST]!;
    const value = code[pc + op.CAST_VALUE]!;
    if (operator === TRUNC || operator === SEXT) {
      // An i1 is stored as 0 or 1, but sign-extends to 0 or -1.
      const low = from === I1 ? -frames.low(frame, value) : frames.low(frame, value);
      if (to === I64) frames.set(frame, to, dest, low, low >> 31);
      else this.state.set(frame + dest, normalise(low, BITS[to]!));
    } else if (operator === ZEXT) {
      frames.set(frame, to, dest, unsigned(frames.low(frame, value), BITS[from]!) | 0, 0);
    } else if (operator === ADDRESS) {
      this.state.set(frame + dest, addressOf(frames.low(frame, value), frames.high(frame, value)));
    } else this.convert(frame, operator, from, to, dest, value);
  }

  private convert(frame: number, operator: number, from: number, to: number, dest: number, value: number): void {
    const { frames } = this;
    const name = op.CAST_OPERATORS[operator];
    switch (name) {
      case 'fptrunc':
      case 'fpext':
        return this.setFloat(frame, to, dest, this.float(frame, from, value));
      case 'fptosi':
      case 'fptoui': {
        const integer = floatToInteger(this.float(frame, from, value), BITS[to]!, name === 'fptosi');
        return this.setInteger(frame, to, dest, integer);
      }
      case 'sitofp':
      case 'uitofp': {
        const signed = name === 'sitofp';
        if (from === I64) {
          const integer = this.bigint(frame, value);
          return this.setFloat(frame, to, dest, fromBigint(to, signed ? integer : BigInt.asUintN(64, integer)));
        }
        const low = frames.low(frame, value);
        return this.setFloat(frame, to, dest, signed ? (from === I1 ? -low : low) : unsigned(low, BITS[from]!));
      }
      case 'bitcast': {
        const high = WIDE[from] === 1 ? frames.high(frame, value) : 0;
        return frames.set(frame, to, dest, frames.low(frame, value), high);
      }
      default:
        throw new Error(`no such cast: ${operator}`);
    }
  }
}

/** Rounds once: converting to f32 through a double would round twice. */
function fromBigint(to: number, value: bigint): number {
  if (to !== F32) return Number(value);
  const double = Number(value);
  if (BigInt(double) === value) return Math.fround(double);
  // Set a sticky bit where the double lost bits, so that the second rounding knows on which side the value was.
  const magnitude = value < 0n ? -value : value;
  const shift = BigInt(magnitude.toString(2).length - 53);
  const sticky = (magnitude >> shift) | 1n;
  const rounded = Math.fround(Number(sticky)) * 2 ** Number(shift);
  return value < 0n ? -rounded : rounded;
}

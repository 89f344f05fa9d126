/**
 * What the operators compute, on values as registers hold them: integers up to 32 bits as sign-extended numbers (an
 * `i1` as 0 or 1), `i64` as a signed bigint, floats as numbers. Operators and predicates are numbered as in
 * `opcodes.ts`; callers must rule out division by zero.
 *
 * Where the result is undefined in C, so that no correct program depends on it, we take a value that some hardware
 * gives: shift counts are taken modulo the width, out-of-range conversions saturate.
 */
import type { ElementaryFunction } from '../../program/operators.ts';
import { elementary } from './elementary.ts';
import { UNARY_OPERATORS } from './opcodes.ts';

// Binary operators, in the order of BINARY_OPERATORS.
const ADD = 0;
const SUB = 1;
const MUL = 2;
const UDIV = 3;
export const SDIV = 4;
const UREM = 5;
export const SREM = 6;
const AND = 7;
const OR = 8;
const XOR = 9;
const SHL = 10;
const LSHR = 11;
const ASHR = 12;
const FADD = 13;
const FSUB = 14;
const FMUL = 15;
const FDIV = 16;
const FREM = 17;
const SCALE = 18;
const DISPLACE = 19;
const DIFFER = 20;

// Read-modify-write operators, in the order of RMW_OPERATORS.
const RMW_XCHG = 0;
const RMW_ADD = 1;
const RMW_SUB = 2;
const RMW_AND = 3;
const RMW_OR = 4;
const RMW_XOR = 5;
const RMW_NAND = 6;
const RMW_MIN = 7;
const RMW_MAX = 8;
const RMW_UMIN = 9;
const RMW_UMAX = 10;

/**
 * Splits a 64-bit value into words through memory: `Number(BigInt.asIntN(32, value))` crashes the optimising compiler
 * of V8 in Node 20.
 */
const scratch = new BigInt64Array(1);
const scratchWords = new Int32Array(scratch.buffer);

export function lowWord(value: bigint): number {
  scratch[0] = value;
  return scratchWords[0]!;
}

export function highWord(value: bigint): number {
  scratch[0] = value;
  return scratchWords[1]!;
}

/** No object is there, nor anywhere near. */
export const NO_ADDRESS: number = -(2 ** 31);

/**
 * The address that these words of a pointer mean. Negative ones are not addresses, but adding to them may yield one.
 */
export function addressOf(low: number, high: number): number {
  return high === low >> 31 ? low : NO_ADDRESS;
}

/** Sign-extends the low `bits` bits (1 bit: zero-extends). */
export function normalise(value: number, bits: number): number {
  if (bits === 32) return value | 0;
  if (bits === 1) return value & 1;
  return (value << (32 - bits)) >> (32 - bits);
}

/** The same bits as an unsigned number. */
export function unsigned(value: number, bits: number): number {
  return bits === 32 ? value >>> 0 : value & ((1 << bits) - 1);
}

export function binary32(operator: number, bits: number, a: number, b: number): number {
  return normalise(raw32(operator, bits, a, b), bits);
}

function raw32(operator: number, bits: number, a: number, b: number): number {
  switch (operator) {
    case ADD:
      return (a + b) | 0;
    case SUB:
      return (a - b) | 0;
    case MUL:
      return Math.imul(a, b);
    case UDIV:
      return (unsigned(a, bits) / unsigned(b, bits)) | 0;
    case SDIV:
      return (a / b) | 0;
    case UREM:
      return (unsigned(a, bits) % unsigned(b, bits)) | 0;
    case SREM:
      return (a % b) | 0;
    case AND:
      return a & b;
    case OR:
      return a | b;
    case XOR:
    case DIFFER:
      return a ^ b;
    case SHL:
      return a << (b & (bits - 1));
    case LSHR:
      return unsigned(a, bits) >>> (b & (bits - 1));
    case ASHR:
      return a >> (b & (bits - 1));
    case SCALE:
      return a === NO_ADDRESS || b === NO_ADDRESS ? NO_ADDRESS : fitting(a * b);
    case DISPLACE:
      return a === NO_ADDRESS || b === NO_ADDRESS ? NO_ADDRESS : fitting(a + b);
    default:
      throw new Error(`no such integer operator: ${operator}`);
  }
}

/** Products of two words are inexact above 2^53, but those are far too large for a word anyway. */
function fitting(value: number): number {
  return (value | 0) === value ? value | 0 : NO_ADDRESS;
}

export function binary64(operator: number, a: bigint, b: bigint): bigint {
  return BigInt.asIntN(64, raw64(operator, a, b));
}

function raw64(operator: number, a: bigint, b: bigint): bigint {
  switch (operator) {
    case ADD:
      return a + b;
    case SUB:
      return a - b;
    case MUL:
      return a * b;
    case UDIV:
      return BigInt.asUintN(64, a) / BigInt.asUintN(64, b);
    case SDIV:
      return a / b;
    case UREM:
      return BigInt.asUintN(64, a) % BigInt.asUintN(64, b);
    case SREM:
      return a % b;
    case AND:
      return a & b;
    case OR:
      return a | b;
    case XOR:
    case DIFFER:
      return a ^ b;
    case SHL:
      return a << (b & 63n);
    case LSHR:
      return BigInt.asUintN(64, a) >> (b & 63n);
    case ASHR:
      return a >> (b & 63n);
    default:
      throw new Error(`no such integer operator: ${operator}`);
  }
}

export function binaryFloat(operator: number, a: number, b: number): number {
  switch (operator) {
    case FADD:
      return a + b;
    case FSUB:
      return a - b;
    case FMUL:
      return a * b;
    case FDIV:
      return a / b;
    case FREM:
      return a % b;
    default:
      throw new Error(`no such floating-point operator: ${operator}`);
  }
}

// Unary operators, in the order of UNARY_OPERATORS.
const CLZ = 0;
const CTZ = 1;
const POPCOUNT = 2;
const BSWAP = 3;
const FNEG = 4;
const FABS = 5;
const FSQRT = 6;
const FFLOOR = 7;
const FCEIL = 8;
const FTRUNC = 9;
const FROUND = 10;
/** The first of the <math.h> functions. */
const ELEMENTARY = 11;
const ELEMENTARY_FUNCTIONS = UNARY_OPERATORS.slice(ELEMENTARY, -1).map(
  (name) => elementary[name as ElementaryFunction],
);
const SETTLE = UNARY_OPERATORS.length - 1;

/** Integer operators of any width, on unsigned bits. */
export function unaryInteger(operator: number, bits: number, value: bigint): bigint {
  const text = BigInt.asUintN(bits, value).toString(2).padStart(bits, '0');
  switch (operator) {
    case CLZ: {
      const first = text.indexOf('1');
      return BigInt(first < 0 ? bits : first);
    }
    case CTZ: {
      const last = text.lastIndexOf('1');
      return BigInt(last < 0 ? bits : bits - 1 - last);
    }
    case POPCOUNT:
      return BigInt(text.replaceAll('0', '').length);
    case BSWAP:
      return BigInt(`0b${text.match(/.{8}/g)!.reverse().join('')}`);
    case SETTLE:
      return BigInt.asUintN(bits, value);
    default:
      throw new Error(`no such integer operator: ${operator}`);
  }
}

export function unaryFloat(operator: number, value: number): number {
  switch (operator) {
    case FNEG:
      return -value;
    case FABS:
      return Math.abs(value);
    case FSQRT:
      return Math.sqrt(value);
    case FFLOOR:
      return Math.floor(value);
    case FCEIL:
      return Math.ceil(value);
    case FTRUNC:
      return Math.trunc(value);
    case FROUND:
      return roundAway(value);
    default:
      return ELEMENTARY_FUNCTIONS[operator - ELEMENTARY]!(value);
  }
}

/** Half away from zero, as C's round does. */
function roundAway(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) < 0.5 || !Number.isFinite(value) ? whole : whole + Math.sign(value);
}

// Integer predicates: eq ne, then ult ule ugt uge, then slt sle sgt sge. Numbers and bigints have separate functions,
// since a function that sees both is slow for either.

function ordered32(predicate: number, a: number, b: number): boolean {
  switch (predicate) {
    case 0:
      return a === b;
    case 1:
      return a !== b;
    case 6:
      return a < b;
    case 7:
      return a <= b;
    case 8:
      return a > b;
    case 9:
      return a >= b;
    default:
      throw new Error(`no such integer predicate: ${predicate}`);
  }
}

function below32(predicate: number, bits: number, a: number, b: number): boolean {
  const ua = unsigned(a, bits);
  const ub = unsigned(b, bits);
  switch (predicate) {
    case 2:
      return ua < ub;
    case 3:
      return ua <= ub;
    case 4:
      return ua > ub;
    default:
      return ua >= ub;
  }
}

/** `ua` and `ub` are the operands as unsigned. */
function ordered64(predicate: number, a: bigint, b: bigint, ua: bigint, ub: bigint): boolean {
  switch (predicate) {
    case 0:
      return a === b;
    case 1:
      return a !== b;
    case 2:
      return ua < ub;
    case 3:
      return ua <= ub;
    case 4:
      return ua > ub;
    case 5:
      return ua >= ub;
    case 6:
      return a < b;
    case 7:
      return a <= b;
    case 8:
      return a > b;
    case 9:
      return a >= b;
    default:
      throw new Error(`no such integer predicate: ${predicate}`);
  }
}

export function compare32(predicate: number, bits: number, a: number, b: number): number {
  return (predicate < 2 || predicate > 5 ? ordered32(predicate, a, b) : below32(predicate, bits, a, b)) ? 1 : 0;
}

export function compare64(predicate: number, a: bigint, b: bigint): number {
  return ordered64(predicate, a, b, BigInt.asUintN(64, a), BigInt.asUintN(64, b)) ? 1 : 0;
}

export function compareFloat(predicate: number, a: number, b: number): number {
  const unorderedPair = Number.isNaN(a) || Number.isNaN(b);
  return floatHolds(predicate, a, b, unorderedPair) ? 1 : 0;
}

/** Predicates 10…: foeq fone folt fole fogt foge ford, fueq fune fult fule fugt fuge funo. */
function floatHolds(predicate: number, a: number, b: number, nan: boolean): boolean {
  switch (predicate) {
    case 10:
      return !nan && a === b;
    case 11:
      return !nan && a !== b;
    case 12:
      return a < b;
    case 13:
      return a <= b;
    case 14:
      return a > b;
    case 15:
      return a >= b;
    case 16:
      return !nan;
    case 17:
      return nan || a === b;
    case 18:
      return nan || a !== b;
    case 19:
      return nan || a < b;
    case 20:
      return nan || a <= b;
    case 21:
      return nan || a > b;
    case 22:
      return nan || a >= b;
    case 23:
      return nan;
    default:
      throw new Error(`no such floating-point predicate: ${predicate}`);
  }
}

/** Whether the operator divides, and so has no result for some operands. */
export function isDivision(operator: number): boolean {
  return operator >= UDIV && operator <= SREM;
}

/** The value that a read-modify-write stores, for integers up to 32 bits. */
export function modify32(operator: number, bits: number, old: number, operand: number): number {
  switch (operator) {
    case RMW_XCHG:
      return operand;
    case RMW_ADD:
      return normalise(old + operand, bits);
    case RMW_SUB:
      return normalise(old - operand, bits);
    case RMW_AND:
      return old & operand;
    case RMW_OR:
      return old | operand;
    case RMW_XOR:
      return old ^ operand;
    case RMW_NAND:
      return normalise(~(old & operand), bits);
    case RMW_MIN:
      return Math.min(old, operand);
    case RMW_MAX:
      return Math.max(old, operand);
    case RMW_UMIN:
      return unsigned(old, bits) < unsigned(operand, bits) ? old : operand;
    case RMW_UMAX:
      return unsigned(old, bits) > unsigned(operand, bits) ? old : operand;
    default:
      throw new Error(`no such read-modify-write operator: ${operator}`);
  }
}

export function modify64(operator: number, old: bigint, operand: bigint): bigint {
  switch (operator) {
    case RMW_XCHG:
      return operand;
    case RMW_ADD:
      return BigInt.asIntN(64, old + operand);
    case RMW_SUB:
      return BigInt.asIntN(64, old - operand);
    case RMW_AND:
      return old & operand;
    case RMW_OR:
      return old | operand;
    case RMW_XOR:
      return old ^ operand;
    case RMW_NAND:
      return ~(old & operand);
    case RMW_MIN:
      return old < operand ? old : operand;
    case RMW_MAX:
      return old > operand ? old : operand;
    case RMW_UMIN:
      return BigInt.asUintN(64, old) < BigInt.asUintN(64, operand) ? old : operand;
    case RMW_UMAX:
      return BigInt.asUintN(64, old) > BigInt.asUintN(64, operand) ? old : operand;
    default:
      throw new Error(`no such read-modify-write operator: ${operator}`);
  }
}

/** Converts a float to an integer of `bits` bits, toward zero; saturates out of range, NaN gives 0. */
export function floatToInteger(value: number, bits: number, signed: boolean): bigint {
  if (Number.isNaN(value)) return 0n;
  const low = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const high = signed ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n;
  if (value <= Number(low)) return low;
  if (value >= Number(high)) return high;
  return BigInt(Math.trunc(value));
}

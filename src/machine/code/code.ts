/**
 * Code: a program flattened to integers, the form that the interpreter runs.
 *
 * Every instruction is `[op, site, …fields]` (`opcodes.ts`). A value field is either a word offset into the current
 * frame (≥ 0) or, complemented, an index into the constant pool (< 0); 64-bit values take two words, low word first.
 * `site` numbers the instruction in the whole program; `sites[site]` leads back to it.
 *
 * Some instructions are split here, so that each visible instruction is exactly one step: a `seq_cst` store is a store
 * and a full fence (but one event under axiomatic models); a condition wait is the wait (which unlocks) and the lock
 * that follows it; if it is timed, a step in between ends the wait; under axiomatic models, an allocation is followed
 * by a step in which the new object begins.
 */
import type { Instruction, Program } from '../../program/ir.ts';
import { bitsOf, isFloat, TYPES, type Type } from '../../program/types.ts';
import { highWord, lowWord, normalise } from './arithmetic.ts';

/** Where an instruction of the code came from. */
export interface Site {
  readonly func: number;
  readonly block: number;
  readonly index: number;
  readonly instruction: Instruction;
}

export interface FunctionCode {
  /** Its instructions: `entry` … `end`-1. */
  readonly entry: number;
  readonly end: number;
  readonly frameWords: number;
  /** Word offset and type of each register in the frame. */
  readonly offsets: readonly number[];
  readonly types: readonly Type[];
  /** Type codes of the parameters, which are its first registers; and of the result, -1 if there is none. */
  readonly parameters: readonly number[];
  readonly result: number;
  /** Every call of it is refused, whatever the arguments. */
  readonly isUndefined: boolean;
}

export interface Code {
  readonly program: Program;
  readonly words: Int32Array;
  readonly pool: Int32Array;
  readonly functions: readonly FunctionCode[];
  /** The `frameWords` of the functions: the same array for every machine that runs this code. */
  readonly frameWords: readonly number[];
  readonly sites: readonly Site[];
  /** Per site: 1 if it is in our library, which users do not see. */
  readonly isLibrary: Uint8Array;
  readonly messages: readonly string[];
  /** Per root: where its arguments `count (type value)*` are in `words`. */
  readonly rootArguments: readonly number[];
}

/** Function addresses lie beyond all memory (`MAX_MEMORY_BYTES`), with low bits that programs may use for tags. */
const FUNCTIONS = 1 << 30;
const FUNCTION_BYTES = 16;

export function functionAddress(index: number): number {
  return FUNCTIONS + index * FUNCTION_BYTES;
}

/** The number of the function at an address; if there is none, a number that no function has. */
export function functionAt(address: number): number {
  const offset = address - FUNCTIONS;
  return offset % FUNCTION_BYTES === 0 ? offset / FUNCTION_BYTES : -1;
}

export function typeCode(type: Type): number {
  return TYPES.indexOf(type);
}

/** The canonical low and high words of a constant (see `types.ts` for how registers hold values). */
export function constantWords(type: Type, value: number | bigint): [number, number] {
  if (isFloat(type)) {
    const view = new DataView(new ArrayBuffer(8));
    if (type === 'f32') view.setFloat32(0, Number(value), true);
    else view.setFloat64(0, Number(value), true);
    return [view.getInt32(0, true), view.getInt32(4, true)];
  }
  const bits = BigInt.asIntN(64, BigInt(value));
  if (type === 'i64') return [lowWord(bits), highWord(bits)];
  if (type === 'i1') return [Number(bits & 1n), 0];
  return [normalise(lowWord(bits), bitsOf(type)), 0];
}

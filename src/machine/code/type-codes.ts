/** Types as numbers, their index in `TYPES`, and what the machine needs to know about each. */
import { isFloat, sizeOf, TYPES } from '../../program/types.ts';

export const I1: number = TYPES.indexOf('i1');
export const I32: number = TYPES.indexOf('i32');
export const I64: number = TYPES.indexOf('i64');
export const F32: number = TYPES.indexOf('f32');

/** By code: bytes in memory; bits of an integer; 1 if it takes two words; 1 if it is a float. */
export const SIZES: Uint8Array = Uint8Array.from(TYPES, sizeOf);
export const BITS: Uint8Array = Uint8Array.from(TYPES, (type) => (type === 'i1' ? 1 : sizeOf(type) * 8));
export const WIDE: Uint8Array = Uint8Array.from(TYPES, (type) => (sizeOf(type) === 8 ? 1 : 0));
export const FLOAT: Uint8Array = Uint8Array.from(TYPES, (type) => (isFloat(type) ? 1 : 0));

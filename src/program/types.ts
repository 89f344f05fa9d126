/**
 * The scalar types of the program form. An address is an `i32`, so it is a plain JavaScript integer. A pointer of a
 * 64-bit program is an `i64`; where it is used, a cast (`address`) gives the address. In registers an `i1` is 0 or 1;
 * `i8`, `i16` and `i32` are sign-extended to 32 bits; `i64`, `f32` and `f64` are stored as their bytes.
 */
export type Type = 'i1' | 'i8' | 'i16' | 'i32' | 'i64' | 'f32' | 'f64';

export const POINTER: Type = 'i32';

export const TYPES: readonly Type[] = ['i1', 'i8', 'i16', 'i32', 'i64', 'f32', 'f64'];

/** Size in memory, in bytes. */
export function sizeOf(type: Type): number {
  switch (type) {
    case 'i1':
    case 'i8':
      return 1;
    case 'i16':
      return 2;
    case 'i32':
    case 'f32':
      return 4;
    case 'i64':
    case 'f64':
      return 8;
  }
}

export function isFloat(type: Type): boolean {
  return type === 'f32' || type === 'f64';
}

/** Bits of an integer type. */
export function bitsOf(type: Type): number {
  return type === 'i1' ? 1 : sizeOf(type) * 8;
}

/** C11 memory orders, with the two kinds of non-atomic access. No order is ever weakened or strengthened silently. */
export type Order = 'plain' | 'volatile' | 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

/** Whether C calls the access atomic. A volatile access is not, and can be part of a data race. */
export function isAtomic(order: Order): boolean {
  return order !== 'plain' && order !== 'volatile';
}

export const ORDERS: readonly Order[] = ['plain', 'volatile', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];

export type FenceOrder = 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

/** `acquire` or stronger: later loads stay behind it. */
export function acquires(order: Order): boolean {
  return order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
}

/** `release` or stronger: earlier stores stay before it. */
export function releases(order: Order): boolean {
  return order === 'release' || order === 'acq_rel' || order === 'seq_cst';
}

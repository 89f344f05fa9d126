/**
 * Integers whose width is not a power of two, which clang uses for runs of bit-fields: `i24`, `i48`, … A register of
 * the next larger type holds them sign-extended; operations that read or set upper bits are corrected here. In memory
 * they are accessed in pieces, as no machine has a three-byte load.
 */
import { constant, type FunctionBuilder, int, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import { bitsOf, type Type } from '../../../program/types.ts';
import type { LType } from '../ir/module.ts';

/** The width, if it is such an odd one. */
export function oddWidth(type: LType): number | undefined {
  if (type.kind !== 'int') return undefined;
  return type.bits > 64 || [1, 8, 16, 32, 64].includes(type.bits) ? undefined : type.bits;
}

function value(type: Type, n: number | bigint): Operand {
  return constant(type, type === 'i64' ? BigInt(n) : Number(n));
}

/** `dest` = the low `width` bits of `from`, sign-extended. */
export function signExtend(
  builder: FunctionBuilder,
  dest: Dest,
  type: Type,
  from: Operand | Dest,
  width: number,
): void {
  const shift = value(type, bitsOf(type) - width);
  builder.binary('shl', dest, from, shift);
  builder.binary('ashr', dest, dest, shift);
}

/** `dest` = the low `width` bits of `from`. */
export function zeroExtend(
  builder: FunctionBuilder,
  dest: Dest,
  type: Type,
  from: Operand | Dest,
  width: number,
): void {
  const mask = type === 'i64' ? constant('i64', (1n << BigInt(width)) - 1n) : int(2 ** width - 1, type);
  builder.binary('and', dest, from, mask);
}

interface Piece {
  readonly offset: number;
  readonly type: Type;
}

/** The memory accesses that a value of this width needs. */
export function pieces(width: number): readonly Piece[] {
  const list: Piece[] = [];
  const bytes = Math.ceil(width / 8);
  for (let offset = 0; offset < bytes; ) {
    const rest = bytes - offset;
    const size = rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
    list.push({ offset, type: size === 4 ? 'i32' : size === 2 ? 'i16' : 'i8' });
    offset += size;
  }
  return list;
}

/** `dest` = the value whose pieces are in `parts`. */
export function joinPieces(
  builder: FunctionBuilder,
  dest: Dest,
  type: Type,
  parts: readonly { readonly piece: Piece; readonly part: Dest }[],
  width: number,
): void {
  const wide = builder.register('', type);
  builder.move(dest, value(type, 0));
  for (const { piece, part } of parts) {
    if (piece.type === type) builder.move(wide, reg(part));
    else builder.cast('zext', wide, part);
    builder.binary('shl', wide, wide, value(type, piece.offset * 8));
    builder.binary('or', dest, dest, wide);
  }
  signExtend(builder, dest, type, dest, width);
}

/** The piece of `from` at this offset, in a new register. */
export function cutPiece(builder: FunctionBuilder, type: Type, from: Operand, piece: Piece): Dest {
  const shifted = builder.register('', type);
  builder.binary('lshr', shifted, from, value(type, piece.offset * 8));
  if (piece.type === type) return shifted;
  const part = builder.register('', piece.type);
  builder.cast('trunc', part, shifted);
  return part;
}

/** Scalar constants as little-endian bytes. */
import { constant, int } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import type { Type } from '../../../program/types.ts';
import type { LType } from '../ir/module.ts';

export function constantBytes(
  type: LType,
  value: { readonly kind: 'integer'; readonly value: bigint } | { readonly kind: 'float'; readonly value: number },
  bytes: Uint8Array,
  at: number,
  size: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (value.kind === 'float') {
    if (type.kind === 'float') view.setFloat32(at, value.value, true);
    else view.setFloat64(at, value.value, true);
    return;
  }
  let rest = BigInt.asUintN(size * 8, value.value);
  for (let i = 0; i < size; i++, rest >>= 8n) bytes[at + i] = Number(rest & 0xffn);
}

/** Every eight bytes as a word; of an `i32` the first four count. */
export function constantWords(words: readonly Type[], bytes: Uint8Array): readonly Operand[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return words.map((word, k) =>
    word === 'i64' ? constant('i64', view.getBigInt64(k * 8, true)) : int(view.getInt32(k * 8, true)),
  );
}

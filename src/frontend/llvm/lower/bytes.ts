/** Scalar constants as little-endian bytes. */
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

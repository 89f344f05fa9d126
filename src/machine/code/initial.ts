/** The initial bytes of a global. */
import type { Global } from '../../program/ir.ts';
import type { Layout } from '../state/layout.ts';
import { functionAddress } from './code.ts';

/** Calls `write` for every byte that is not zero. */
export function writeInitialValue(
  global: Global,
  address: number,
  layout: Layout,
  write: (address: number, byte: number) => void,
): void {
  const { init, relocations = [] } = global;
  if (init === undefined && relocations.length === 0) return;
  const bytes = new Uint8Array(global.size);
  if (init !== undefined) bytes.set(init);
  const view = new DataView(bytes.buffer);
  for (const { offset, target } of relocations) {
    const value =
      target.kind === 'global' ? layout.globals[target.index]! + target.offset : functionAddress(target.index);
    view.setInt32(offset, value, true);
  }
  for (let offset = 0; offset < bytes.length; offset++) {
    if (bytes[offset] !== 0) write(address + offset, bytes[offset]!);
  }
}

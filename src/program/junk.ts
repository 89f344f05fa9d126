/**
 * The value of memory that was never written, with `--junk`: every byte is 0x59. As an address it is invalid, as a
 * number large, as a truth value true. C leaves such values unspecified; this one stands for all of them, so an error
 * that only another value shows is missed. (No object of our library uses it as a mark.)
 */
import type { Type } from './types.ts';

/** Four bytes of it. */
export const JUNK_WORD: number = 0x59595959;

/** Junk as the value of a constant of this type. */
export function junkOf(type: Type): number | bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setInt32(0, JUNK_WORD);
  bytes.setInt32(4, JUNK_WORD);
  switch (type) {
    case 'i1':
      return bytes.getInt8(0) & 1;
    case 'i8':
      return bytes.getInt8(0);
    case 'i16':
      return bytes.getInt16(0);
    case 'i32':
      return bytes.getInt32(0);
    case 'i64':
      return bytes.getBigInt64(0);
    case 'f32':
      return bytes.getFloat32(0);
    case 'f64':
      return bytes.getFloat64(0);
  }
}

/** The C types that the initial state and `locations` may use. Signedness is dropped: values are read as signed. */
import type { Type } from '../../program/types.ts';
import type { Arch } from './ast.ts';

/** Sizes in bytes; 0 means the size of a pointer. */
const SIZES: ReadonlyMap<string, number> = new Map([
  ...names(1, 'char', 'signed char', 'unsigned char', 'int8_t', 'uint8_t', 'bool', '_Bool'),
  ...names(2, 'short', 'unsigned short', 'int16_t', 'uint16_t'),
  ...names(4, 'int', 'signed', 'signed int', 'unsigned', 'unsigned int', 'int32_t', 'uint32_t', 'atomic_int'),
  ...names(8, 'long long', 'unsigned long long', 'int64_t', 'uint64_t'),
  ...names(0, 'long', 'unsigned long', 'intptr_t', 'uintptr_t', 'size_t'),
]);

const QUALIFIERS: ReadonlySet<string> = new Set(['_Atomic', 'volatile', 'const']);

/** Size in bytes of the type that these words name; `undefined` if they do not name a type. */
export function sizeOfCType(arch: Arch, words: readonly string[]): number | undefined {
  const size = SIZES.get(words.filter((word) => !QUALIFIERS.has(word)).join(' '));
  return size === 0 ? pointerSize(arch) : size;
}

export function pointerSize(arch: Arch): number {
  return arch === 'X86_64' ? 8 : 4;
}

export function integerOfSize(size: number): Type {
  switch (size) {
    case 1:
      return 'i8';
    case 2:
      return 'i16';
    case 4:
      return 'i32';
    case 8:
      return 'i64';
    default:
      throw new RangeError(`no integer has ${size} bytes`);
  }
}

function names(size: number, ...words: readonly string[]): [string, number][] {
  return words.map((word) => [word, size]);
}

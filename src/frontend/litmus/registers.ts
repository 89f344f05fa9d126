/**
 * The general-purpose registers of x86 and their parts. A whole register (`rax`, or `EAX` in 32-bit tests) is one
 * register of the program; `eax`, `ax`, `al` and `ah` are pieces of its bits.
 */
import type { Type } from '../../program/types.ts';

/** `C` has variables instead of registers. */
export type Arch = 'X86' | 'X86_64' | 'C';

export interface RegisterPart {
  /** As herd prints it: `EAX` in X86 tests, `eax` in X86_64 tests. */
  readonly name: string;
  /** The whole register that this is a part of. */
  readonly family: string;
  readonly bits: number;
  /** Position of its lowest bit: 8 for `ah`, `bh`, `ch` and `dh`, else 0. */
  readonly shift: number;
}

/** Bits of a whole register, and of a pointer. */
export function wordBits(arch: Arch): 32 | 64 {
  return arch === 'X86_64' ? 64 : 32;
}

export function wordType(arch: Arch): Type {
  return arch === 'X86_64' ? 'i64' : 'i32';
}

const PARTS: Readonly<Record<Arch, ReadonlyMap<string, RegisterPart>>> = {
  X86: makeParts('X86'),
  X86_64: makeParts('X86_64'),
  C: new Map(),
};

/** A variable of a thread of a test in C. */
export function variablePart(name: string): RegisterPart {
  return { name, family: name, bits: 32, shift: 0 };
}

export function findRegister(arch: Arch, name: string): RegisterPart | undefined {
  return PARTS[arch].get(name.toLowerCase());
}

/**
 * Whether it is a register of some x86, but not modelled here. Excludes those whose names (`cs`, `k1`, `flags`) may
 * also be names of locations.
 */
export function isOtherRegister(arch: Arch, name: string): boolean {
  const lower = name.toLowerCase();
  return (
    (arch === 'X86' && PARTS.X86_64.has(lower)) ||
    /^(?:[xyz]?mm[0-9]{1,2}|[cd]r[0-9]{1,2}|[er]ip|[er]flags|mxcsr)$/.test(lower)
  );
}

function makeParts(arch: Arch): ReadonlyMap<string, RegisterPart> {
  const parts = new Map<string, RegisterPart>();
  const print = (name: string) => (arch === 'X86' ? name.toUpperCase() : name);
  const addFamily = (names: readonly (readonly [name: string, bits: number, shift?: number])[]) => {
    const present = names.filter(([, bits]) => bits <= wordBits(arch));
    const family = print(present[0]![0]);
    for (const [name, bits, shift = 0] of present) parts.set(name, { name: print(name), family, bits, shift });
  };
  for (const letter of 'abcd') {
    const word = `${letter}x`;
    const bytes = [
      [`${letter}l`, 8],
      [`${letter}h`, 8, 8],
    ] as const;
    addFamily([[`r${word}`, 64], [`e${word}`, 32], [word, 16], ...bytes]);
  }
  for (const word of ['si', 'di', 'bp', 'sp']) {
    // Their low bytes have names only in 64-bit code.
    const bytes = arch === 'X86' ? [] : ([[`${word}l`, 8]] as const);
    addFamily([[`r${word}`, 64], [`e${word}`, 32], [word, 16], ...bytes]);
  }
  if (arch === 'X86_64') {
    for (let i = 8; i < 16; i++)
      addFamily([
        [`r${i}`, 64],
        [`r${i}d`, 32],
        [`r${i}w`, 16],
        [`r${i}b`, 8],
      ]);
  }
  return parts;
}

/** The part of the `a` register that an instruction with operands of `size` bytes uses implicitly. */
export function accumulator(arch: Arch, size: number): RegisterPart {
  const names: Readonly<Record<number, string>> = { 1: 'al', 2: 'ax', 4: 'eax', 8: 'rax' };
  return findRegister(arch, names[size]!)!;
}

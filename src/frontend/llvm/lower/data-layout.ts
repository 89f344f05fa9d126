/** Sizes, alignments and field offsets of LLVM types, from the module's datalayout string. */
import { sizeOf, type Type } from '../../../program/types.ts';
import type { LType, Module } from '../ir/module.ts';
import { isWide } from './wide-integers.ts';

/** A scalar of a larger value, and its offset in memory, in bytes. */
export interface ScalarPart {
  readonly type: Type;
  readonly offset: number;
}

/** LLVM's own default is 64 bits. */
function pointerOf(dataLayout: string): 'i32' | 'i64' {
  return dataLayout.split('-').some((part) => /^p(?:0)?:32:/.test(part)) ? 'i32' : 'i64';
}

export class DataLayout {
  /** What a pointer is in memory and in registers. */
  readonly pointer: 'i32' | 'i64';
  private readonly types: ReadonlyMap<string, LType>;
  /** ABI alignment in bytes of integers and floats, by bits. */
  private readonly integerAlign = new Map<number, number>([
    [1, 1],
    [8, 1],
    [16, 2],
    [32, 4],
    // LLVM's own defaults, used where the string says nothing.
    [64, 4],
  ]);
  private readonly floatAlign = new Map<number, number>([
    [16, 2],
    [32, 4],
    [64, 8],
    [80, 4],
    [128, 16],
  ]);

  constructor(module: Module) {
    this.types = module.types;
    this.pointer = pointerOf(module.dataLayout);
    for (const part of module.dataLayout.split('-')) {
      const match = /^([if])(\d+):(\d+)/.exec(part);
      if (match === null) continue;
      const table = match[1] === 'i' ? this.integerAlign : this.floatAlign;
      table.set(Number(match[2]), Number(match[3]) / 8);
    }
  }

  resolve(type: LType): LType {
    let resolved = type;
    while (resolved.kind === 'named') resolved = this.types.get(resolved.name) ?? { kind: 'opaque' };
    return resolved;
  }

  alignOf(type: LType): number {
    const t = this.resolve(type);
    switch (t.kind) {
      case 'int':
        // LLVM aligns integers wider than any in the string like the widest that it lists.
        return this.integerAlign.get(roundBits(t.bits)) ?? this.integerAlign.get(64)!;
      case 'ptr':
        return sizeOf(this.pointer);
      case 'float':
        return 4;
      case 'double':
        return this.floatAlign.get(64)!;
      case 'half':
        return this.floatAlign.get(16)!;
      case 'x86_fp80':
        return this.floatAlign.get(80)!;
      case 'fp128':
        return this.floatAlign.get(128)!;
      case 'vector':
        return 2 ** Math.ceil(Math.log2(t.count * this.sizeOf(t.element)));
      case 'other':
        return t.text === 'bfloat' ? 2 : 1;
      case 'array':
        return this.alignOf(t.element);
      case 'struct':
        return t.packed ? 1 : Math.max(1, ...t.fields.map((field) => this.alignOf(field)));
      default:
        return 1;
    }
  }

  /** Bytes from one array element to the next. */
  sizeOf(type: LType): number {
    const t = this.resolve(type);
    switch (t.kind) {
      case 'int':
        return alignUp(Math.ceil(t.bits / 8), this.alignOf(t));
      case 'ptr':
        return sizeOf(this.pointer);
      case 'float':
        return 4;
      case 'double':
        return 8;
      case 'half':
        return 2;
      case 'x86_fp80':
        return alignUp(10, this.alignOf(t));
      case 'fp128':
        return 16;
      case 'vector':
        return alignUp(t.count * this.sizeOf(t.element), this.alignOf(t));
      case 'other':
        return t.text === 'bfloat' ? 2 : 0;
      case 'array':
        return t.count * this.sizeOf(t.element);
      case 'struct':
        return this.layOut(t).size;
      default:
        return 0;
    }
  }

  /** How many bytes, from its address on and without gaps, a store of this type writes; -1 if there may be gaps. */
  storedBytes(type: LType): number {
    const t = this.resolve(type);
    switch (t.kind) {
      case 'int':
        return Math.ceil(t.bits / 8);
      case 'ptr':
      case 'float':
      case 'double':
        return this.sizeOf(t);
      case 'array':
        return this.storedBytes(t.element) === this.sizeOf(t.element) ? this.sizeOf(t) : -1;
      case 'struct': {
        const stored = t.fields.map((field) => this.storedBytes(field));
        const isFull = stored.every((bytes, i) => bytes === this.sizeOf(t.fields[i]!));
        return isFull && stored.reduce((sum, bytes) => sum + bytes, 0) === this.sizeOf(t) ? this.sizeOf(t) : -1;
      }
      default:
        return -1;
    }
  }

  offsetOf(type: LType, field: number): number {
    const t = this.resolve(type);
    return t.kind === 'struct' ? (this.layOut(t).offsets[field] ?? 0) : 0;
  }

  private layOut(t: LType & { kind: 'struct' }): { offsets: number[]; size: number } {
    const offsets: number[] = [];
    let next = 0;
    for (const field of t.fields) {
      if (!t.packed) next = alignUp(next, this.alignOf(field));
      offsets.push(next);
      next += this.sizeOf(field);
    }
    return { offsets, size: t.packed ? next : alignUp(next, this.alignOf(t)) };
  }

  /** Whether a value of this type has parts: a structure in registers, an array, an integer of 128 bits. */
  isComposite(type: LType): boolean {
    const resolved = this.resolve(type);
    if (resolved.kind === 'vector')
      return this.vectorWords(resolved) !== undefined && this.scalar(resolved) === undefined;
    return resolved.kind === 'struct' || resolved.kind === 'array' || isWide(resolved);
  }

  /** The scalars that a value of this type consists of, or `undefined` if some part is not a scalar. */
  parts(type: LType, start = 0): readonly ScalarPart[] | undefined {
    const t = this.resolve(type);
    if (isWide(t)) {
      return [
        { type: 'i64', offset: start },
        { type: 'i64', offset: start + 8 },
      ];
    }
    const words = t.kind === 'vector' ? this.vectorWords(t) : undefined;
    if (words !== undefined) return words.map((word, k) => ({ type: word, offset: start + k * sizeOf(word) }));
    if (t.kind !== 'struct' && t.kind !== 'array') {
      const scalar = this.scalar(t);
      return scalar === undefined ? undefined : [{ type: scalar, offset: start }];
    }
    const all: ScalarPart[] = [];
    for (let i = 0; i < (t.kind === 'struct' ? t.fields.length : t.count); i++) {
      const member = t.kind === 'struct' ? t.fields[i]! : t.element;
      const offset = t.kind === 'struct' ? this.offsetOf(t, i) : i * this.sizeOf(member);
      const parts = this.parts(member, start + offset);
      if (parts === undefined) return undefined;
      all.push(...parts);
    }
    return all;
  }

  /** The scalar type that holds a value of this type in a register, or `undefined` if none does. */
  scalar(type: LType): Type | undefined {
    const t = this.resolve(type);
    switch (t.kind) {
      case 'ptr':
        return this.pointer;
      case 'float':
        return 'f32';
      case 'double':
        return 'f64';
      case 'int':
        if (t.bits === 1) return 'i1';
        // Bit-fields have integers of any width (`odd-integers.ts`); a register holds them sign-extended.
        return t.bits <= 8 ? 'i8' : t.bits <= 16 ? 'i16' : t.bits <= 32 ? 'i32' : t.bits <= 64 ? 'i64' : undefined;
      case 'vector': {
        const words = this.vectorWords(t);
        return words?.length === 1 ? words[0] : undefined;
      }
      default:
        return undefined;
    }
  }

  /** The type of what `shufflevector` makes. */
  shuffled(from: LType, mask: LType): LType {
    const [vector, lanes] = [this.resolve(from), this.resolve(mask)];
    return vector.kind === 'vector' && lanes.kind === 'vector' ? { ...lanes, element: vector.element } : vector;
  }

  /** The words of a vector without gaps, of 4 or up to 64 bytes, or the lanes of one of bits (`vectors.ts`); `undefined` for others. */
  private vectorWords({ count, element }: LType & { kind: 'vector' }): readonly Type[] | undefined {
    const e = this.resolve(element);
    if (e.kind === 'int' && e.bits === 1)
      return count > 1 && count <= 64 ? new Array<Type>(count).fill('i1') : undefined;
    const hasGaps = e.kind === 'int' && ![8, 16, 32, 64].includes(e.bits);
    const bytes = count * this.sizeOf(e);
    if (hasGaps || e.kind === 'x86_fp80' || bytes > 64) return undefined;
    if (bytes === 4) return ['i32'];
    return bytes > 0 && (bytes & (bytes - 1)) === 0 && bytes >= 8 ? new Array<Type>(bytes / 8).fill('i64') : undefined;
  }
}

function roundBits(bits: number): number {
  if (bits === 1) return 1;
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

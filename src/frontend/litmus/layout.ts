/**
 * Lays out memory: one variable for each location named anywhere in the test. Its size is that of its declared type;
 * else, if it starts as an address, that of a pointer; else that of the widest access in the code (in X86 tests, at
 * least 4 bytes); else 4 bytes.
 */
import type { ProgramBuilder } from '../../program/builder.ts';
import type { AddressOperand, Relocation } from '../../program/ir.ts';
import type { Type } from '../../program/types.ts';
import type { AddressSyntax, Arch, ValueSyntax } from './ast.ts';
import { integerOfSize, pointerSize } from './c-types.ts';
import { bytes } from './decode.ts';
import type { LocationFacts } from './locations.ts';
import type { Piece, Source } from './source.ts';

interface Variable {
  readonly name: string;
  /** Index of the global. */
  readonly global: number;
  /** Size of one element, for arrays. */
  readonly type: Type;
  readonly elementSize: number;
  /** Number of elements; `undefined` if it is not an array. */
  readonly count: number | undefined;
  readonly size: number;
  /** Declared as a pointer, or initialised with an address. */
  readonly pointer: boolean;
}

/** Bytes of an address in the program form, even where the test's pointers have 8. */
export const ADDRESS_SIZE = 4;

/** Far more than any test needs, and small enough to allocate. */
const MAX_MEMORY = 1 << 20;

export class Layout {
  private readonly source: Source;
  private readonly variables: ReadonlyMap<string, Variable>;

  /** Adds the globals to `program`, which must have none yet. */
  constructor(source: Source, arch: Arch, facts: ReadonlyMap<string, LocationFacts>, program: ProgramBuilder) {
    this.source = source;
    this.variables = new Map([...facts].map(([name, fact], i) => [name, makeVariable(arch, name, fact, i)]));
    let total = 0;
    for (const [name, { first }] of facts) {
      total += this.variable(name).size;
      if (total > MAX_MEMORY) throw source.error(first, `at most ${MAX_MEMORY} bytes of memory in all`);
    }
    for (const [name, { first, values }] of facts) this.addGlobal(program, this.variable(name), first, values ?? []);
  }

  /** The variable of any name in the test. */
  variable(name: string): Variable {
    return this.variables.get(name)!;
  }

  address(address: AddressSyntax): AddressOperand {
    const variable = this.variable(address.name);
    return { kind: 'global', index: variable.global, offset: this.offsetOf(variable, address.index, address) };
  }

  offsetOf(variable: Variable, index: number | undefined, piece: Piece): number {
    if (index === undefined) return 0;
    if (variable.count === undefined) throw this.source.error(piece, 'no index, as it is not declared as an array');
    if (index >= variable.count) throw this.source.error(piece, `an index below ${variable.count}`);
    return index * variable.elementSize;
  }

  private addGlobal(program: ProgramBuilder, variable: Variable, first: Piece, values: readonly ValueSyntax[]): void {
    const { name, size, elementSize, count } = variable;
    const init = new Uint8Array(size);
    const relocations: Relocation[] = [];
    values.forEach((value, i) => {
      const offset = i * elementSize;
      if (value.kind === 'number') writeInteger(init, offset, elementSize, checkFits(this.source, value, elementSize));
      else if (elementSize >= ADDRESS_SIZE) relocations.push({ offset, target: this.address(value) });
      else throw this.source.error(value, `a value of ${bytes(elementSize)}; an address is larger`);
    });
    program.addGlobal({
      name,
      size,
      align: elementSize,
      init,
      ...(relocations.length > 0 ? { relocations } : {}),
      ...(count === undefined ? {} : { element: elementSize }),
      location: this.source.locate(first.at, first.text),
    });
  }
}

/** The value, if it fits into `size` bytes, signed or unsigned. */
export function checkFits(source: Source, number: Piece & { readonly value: bigint }, size: number): bigint {
  const bits = BigInt(size * 8);
  if (number.value < -(1n << (bits - 1n)) || number.value >= 1n << bits) {
    throw source.error(number, `a value of ${bytes(size)}`);
  }
  return number.value;
}

function makeVariable(arch: Arch, name: string, fact: LocationFacts, global: number): Variable {
  const { type, pointer, count, values, widest } = fact;
  const startsAsAddress = values?.some(({ kind }) => kind === 'address') ?? false;
  const byAccess = arch === 'X86_64' ? widest || 4 : Math.max(4, widest);
  const elementSize = type?.size ?? (startsAsAddress ? pointerSize(arch) : byAccess);
  return {
    name,
    global,
    type: integerOfSize(elementSize),
    elementSize,
    count,
    size: elementSize * (count ?? 1),
    pointer: pointer || startsAsAddress,
  };
}

function writeInteger(target: Uint8Array, offset: number, size: number, value: bigint): void {
  for (let i = 0; i < size; i++) target[offset + i] = Number((value >> BigInt(8 * i)) & 0xffn);
}

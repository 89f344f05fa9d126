/** Reads and writes the operands of instructions: registers, immediates and memory with its effective addresses. */
import type { FunctionBuilder } from '../../program/builder.ts';
import type { AddressOperand, Operand } from '../../program/ir.ts';
import type { MemorySyntax, RegisterSyntax } from './ast.ts';
import { integerOfSize } from './c-types.ts';
import { bytes, type Immediate, type Place } from './decode.ts';
import { type Frame, integer } from './frame.ts';
import { ADDRESS_SIZE, checkFits, type Layout } from './layout.ts';
import type { Piece, Source } from './source.ts';

const DEFAULT_SIZE = 4;

export class Access {
  private readonly source: Source;
  private readonly layout: Layout;
  private readonly frame: Frame;
  private readonly func: FunctionBuilder;

  constructor(source: Source, layout: Layout, frame: Frame) {
    this.source = source;
    this.layout = layout;
    this.frame = frame;
    this.func = frame.func;
  }

  /** The operand as an integer of `size` bytes; if the operand has its own size, `size` is that size. */
  read(operand: Place | Immediate, size: number): Operand {
    const type = integerOfSize(size);
    switch (operand.kind) {
      case 'register':
        return this.frame.read(operand.part);
      case 'memory': {
        const address = this.address(operand, size);
        return this.frame.compute(type, (dest) => this.func.load(dest, address));
      }
      case 'number':
        return integer(type, checkFits(this.source, operand, size));
      case 'address':
        if (size < ADDRESS_SIZE) throw this.source.error(operand, `a value of ${bytes(size)}; an address is larger`);
        return this.frame.extend('zext', this.layout.address(operand), 'i32', type);
    }
  }

  write(dest: Place, size: number, value: Operand): void {
    if (dest.kind === 'register') this.frame.write(dest.part, value);
    else this.func.store(this.address(dest, size), value);
  }

  /** `dest = change(dest)`, not atomically. */
  update(dest: Place, size: number, change: (old: Operand) => Operand): void {
    if (dest.kind === 'register') return this.frame.write(dest.part, change(this.frame.read(dest.part)));
    const address = this.address(dest, size);
    const old = this.frame.compute(integerOfSize(size), (old) => this.func.load(old, address));
    this.func.store(address, change(old));
  }

  /** The size of an operand without an explicit one: that of its location, else what assemblers assume. */
  defaultSize(operand: Place | Immediate): number {
    if (operand.kind !== 'memory' || operand.symbol === undefined) return DEFAULT_SIZE;
    return this.layout.variable(operand.symbol.text).elementSize;
  }

  /** The address of an access of `size` bytes; 0 if only the address is needed. */
  address(memory: MemorySyntax, size: number): Operand {
    const { symbol, base, index, scale, displacement } = memory;
    if (symbol !== undefined && base === undefined && index === undefined)
      return this.fixedAddress(memory, symbol, size);
    const terms: Operand[] = [];
    if (symbol !== undefined) terms.push(this.startOf(symbol));
    if (base !== undefined) terms.push(this.addressPart(base));
    if (index !== undefined) terms.push(this.scaled(index, scale));
    if (displacement !== 0) terms.push(integer('i32', BigInt(displacement)));
    return terms.reduce((sum, term) => this.frame.compute('i32', (dest) => this.func.binary('add', dest, sum, term)));
  }

  private fixedAddress(memory: MemorySyntax, symbol: Piece, size: number): Operand {
    const { size: available } = this.layout.variable(symbol.text);
    const { displacement } = memory;
    if (displacement < 0 || displacement + size > available) {
      throw this.source.error(memory, `an access of ${bytes(size)} within the location, which has ${bytes(available)}`);
    }
    return { ...this.startOf(symbol), offset: displacement };
  }

  private startOf(symbol: Piece): AddressOperand & { kind: 'global' } {
    return { kind: 'global', index: this.layout.variable(symbol.text).global, offset: 0 };
  }

  private scaled(index: RegisterSyntax, scale: number): Operand {
    if (![1, 2, 4, 8].includes(scale)) throw this.source.error(index, 'a scale of 1, 2, 4 or 8 behind it');
    const value = this.addressPart(index);
    const factor = integer('i32', BigInt(scale));
    return scale === 1 ? value : this.frame.compute('i32', (dest) => this.func.binary('mul', dest, value, factor));
  }

  /** The lower 32 bits of a register: addresses in the program form are 32 bits wide, even in X86_64 tests. */
  private addressPart(register: RegisterSyntax): Operand {
    const { bits } = register.part;
    if (bits < 32) throw this.source.error(register, 'a register of at least 32 bits in an address');
    const value = this.frame.read(register.part);
    return bits === 32 ? value : this.frame.compute('i32', (dest) => this.func.cast('trunc', dest, value));
  }
}

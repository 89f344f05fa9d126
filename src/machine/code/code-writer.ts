/**
 * Code under construction: words, constants and messages of the whole program, and the operands of the function being
 * compiled. Jump targets are filled in once all blocks of the function have been placed (`compile.ts`).
 */
import { type Func, LIFETIME_KINDS, type LifetimeKind, type Operand, typeOf } from '../../program/ir.ts';
import { unreachable } from '../../util/unreachable.ts';
import { constantWords, functionAddress, typeCode } from './code.ts';
import * as op from './opcodes.ts';

export class CodeWriter {
  readonly out: number[] = [];
  readonly pool: number[] = [];
  private readonly poolIndex = new Map<string, number>();
  readonly messages: string[] = [];
  readonly addresses: readonly number[];
  /** Whether a `seq_cst` store is a single event, and the lifetimes of objects are events too. */
  readonly isAxiomatic: boolean;
  func!: Func;
  offsets!: readonly number[];
  /** The block being compiled. */
  block = 0;
  fixups: { at: number; from: number; to: number }[] = [];

  constructor(addresses: readonly number[], isAxiomatic: boolean) {
    this.addresses = addresses;
    this.isAxiomatic = isAxiomatic;
  }

  /** Starts a function: what is emitted from here on belongs to it. */
  begin(func: Func, offsets: readonly number[]): void {
    this.func = func;
    this.offsets = offsets;
    this.fixups = [];
  }

  /** Axioms need to know when objects begin and end; operational models do not. */
  lifetime(site: number, what: LifetimeKind, address: number, size: number): void {
    if (this.isAxiomatic) this.emit(op.LIFETIME, site, LIFETIME_KINDS.indexOf(what), address, size);
  }

  /** Appends an instruction, or all of it but the group that is repeated. */
  emit<O extends keyof op.Operands>(operation: O, site: number, ...operands: op.Operands[O]): void {
    this.out.push(operation, site, ...operands);
  }

  /** Appends a group that the last instruction repeats. */
  each(...words: number[]): void {
    this.out.push(...words);
  }

  /** A target of the instruction or group that is appended next: the operand at `place` in it. */
  target(place: number, block: number, from: number = this.block): number {
    this.fixups.push({ at: this.out.length + place, from, to: block });
    return -1;
  }

  dest(register: number): number {
    return this.offsets[register]!;
  }

  destType(register: number): number {
    return typeCode(this.func.registers[register]!.type);
  }

  operandType(operand: Operand): number {
    return typeCode(typeOf(this.func, operand)!);
  }

  value(operand: Operand): number {
    switch (operand.kind) {
      case 'register':
        return this.offsets[operand.index]!;
      case 'constant':
        return this.constant(constantWords(operand.type, operand.value));
      case 'global':
        return this.constant([this.addresses[operand.index]! + operand.offset, 0]);
      case 'function':
        return this.constant([functionAddress(operand.index), 0]);
      default:
        return unreachable(operand);
    }
  }

  constant([low, high]: [number, number]): number {
    const key = `${low},${high}`;
    let index = this.poolIndex.get(key);
    if (index === undefined) {
      index = this.pool.length;
      this.pool.push(low, high);
      this.poolIndex.set(key, index);
    }
    return ~index;
  }

  /** The arguments of a call, each with its type. */
  values(operands: readonly Operand[]): void {
    for (const operand of operands) this.each(this.operandType(operand), this.value(operand));
  }
}

/** Constants of a module: what they evaluate to, and the bytes of a global's initial value. */

import { FrontendError } from '../ir/frontend-error.ts';
import type { LType, LValue, Module, Place } from '../ir/module.ts';
import { constantBytes } from './bytes.ts';
import type { DataLayout } from './data-layout.ts';

/** An integer, a float, or the address of a symbol plus a number of bytes. */
export type Evaluated =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'address'; readonly symbol: string; readonly offset: number };

export interface SymbolReference {
  readonly offset: number;
  readonly symbol: string;
  readonly addend: number;
}

export class Constants {
  private readonly module: Module;
  private readonly layout: DataLayout;

  constructor(module: Module, layout: DataLayout) {
    this.module = module;
    this.layout = layout;
  }

  /** The value of a scalar constant, or `undefined` if it is not one (a local, an aggregate). */
  evaluate(type: LType, value: LValue): Evaluated | undefined {
    switch (value.kind) {
      case 'int':
        return { kind: 'integer', value: value.value };
      case 'float':
        return { kind: 'float', value: value.value };
      case 'null':
        return { kind: 'integer', value: 0n };
      // Undefined values may be anything; zero is as good as any other, and deterministic.
      case 'zero':
      case 'undef':
      case 'poison': {
        const { kind } = this.layout.resolve(type);
        return kind === 'float' || kind === 'double' ? { kind: 'float', value: 0 } : { kind: 'integer', value: 0n };
      }
      case 'global':
        return { kind: 'address', symbol: value.name, offset: 0 };
      case 'blockaddress':
        return { kind: 'integer', value: BigInt(this.blockNumber(value.function, value.block)) };
      case 'gep':
        return this.evaluateGep(value);
      case 'cast': {
        const inner = this.evaluate(value.operand.type, value.operand.value);
        if (inner?.kind !== 'integer' || value.operator !== 'trunc') return inner;
        const to = this.layout.resolve(value.to);
        return to.kind === 'int' ? { kind: 'integer', value: BigInt.asIntN(to.bits, inner.value) } : inner;
      }
      case 'binary':
        return this.evaluateBinary(value);
      default:
        return undefined;
    }
  }

  /** The value of `&&label`: the block's position in its function, from 1. */
  blockNumber(func: string, block: string): number {
    const blocks = this.module.functions.get(func)?.blocks ?? [];
    return blocks.findIndex((b) => b.name === block) + 1;
  }

  private evaluateGep(value: LValue & { kind: 'gep' }): Evaluated | undefined {
    const [base, ...indices] = value.operands;
    const start = base === undefined ? undefined : this.evaluate(base.type, base.value);
    if (start === undefined || start.kind === 'float') return undefined;
    let type = value.source;
    let offset = 0;
    for (const [i, index] of indices.entries()) {
      const evaluated = this.evaluate(index.type, index.value);
      if (evaluated?.kind !== 'integer') return undefined;
      const step = this.step(type, i, Number(evaluated.value));
      offset += step.offset;
      type = step.type;
    }
    return start.kind === 'address'
      ? { ...start, offset: start.offset + offset }
      : { kind: 'integer', value: start.value + BigInt(offset) };
  }

  /**
   * One index of a getelementptr: how far it moves and the resulting type. The first index moves over whole objects.
   */
  step(type: LType, position: number, index: number): { offset: number; type: LType } {
    if (position === 0) return { offset: index * this.layout.sizeOf(type), type };
    const resolved = this.layout.resolve(type);
    if (resolved.kind === 'struct') {
      return { offset: this.layout.offsetOf(resolved, index), type: resolved.fields[index] ?? { kind: 'void' } };
    }
    const element: LType =
      resolved.kind === 'array' || resolved.kind === 'vector' ? resolved.element : { kind: 'void' };
    return { offset: index * this.layout.sizeOf(element), type: element };
  }

  private evaluateBinary(value: LValue & { kind: 'binary' }): Evaluated | undefined {
    const left = this.evaluate(value.left.type, value.left.value);
    const right = this.evaluate(value.right.type, value.right.value);
    if (left === undefined || right === undefined) return undefined;
    if (left.kind === 'integer' && right.kind === 'integer') {
      const result = foldInteger(value.operator, left.value, right.value);
      return result === undefined ? undefined : { kind: 'integer', value: result };
    }
    if (left.kind === 'address' && right.kind === 'integer' && (value.operator === 'add' || value.operator === 'sub')) {
      const by = Number(right.value);
      return { ...left, offset: value.operator === 'add' ? left.offset + by : left.offset - by };
    }
    if (
      left.kind === 'address' &&
      right.kind === 'address' &&
      value.operator === 'sub' &&
      left.symbol === right.symbol
    ) {
      return { kind: 'integer', value: BigInt(left.offset - right.offset) };
    }
    return undefined;
  }

  /** Writes an initial value into `bytes`, and lists the addresses to fill in later. */
  initialise(
    type: LType,
    value: LValue,
    bytes: Uint8Array,
    at: number,
    references: SymbolReference[],
    place: Place,
  ): void {
    const resolved = this.layout.resolve(type);
    switch (value.kind) {
      case 'zero':
      case 'null':
      case 'undef':
      case 'poison':
        return;
      case 'string':
        bytes.set(value.bytes, at);
        return;
      case 'aggregate':
        for (const [i, element] of value.elements.entries()) {
          const offset =
            resolved.kind === 'struct' ? this.layout.offsetOf(resolved, i) : i * this.layout.sizeOf(element.type);
          this.initialise(element.type, element.value, bytes, at + offset, references, place);
        }
        return;
      default: {
        const evaluated = this.evaluate(type, value);
        if (evaluated === undefined) throw new FrontendError(place, 'unsupported constant in an initial value');
        if (evaluated.kind === 'address') {
          references.push({ offset: at, symbol: evaluated.symbol, addend: evaluated.offset });
        } else {
          constantBytes(resolved, evaluated, bytes, at, this.layout.sizeOf(resolved));
        }
      }
    }
  }
}

function foldInteger(operator: string, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shl':
      return a << b;
    default:
      return undefined;
  }
}

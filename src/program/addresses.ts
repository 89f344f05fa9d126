/**
 * Which registers of a function hold addresses inside a local object (`alloca`) or a thread-local variable, at which
 * offset: those that are written at one place only, from another such register, by a constant displacement at most.
 */
import { forEachOperand, forEachWritten } from './flow.ts';
import type { Func, Instruction, Operand } from './ir.ts';

export type Base = Instruction & { op: 'alloca' | 'threadlocal' };

export type PlainAccess = Instruction & { op: 'peek' | 'poke' | 'glance' | 'load' | 'store' };

export interface Based {
  readonly base: Base;
  readonly offset: number;
}

export class Addresses {
  private readonly known = new Map<number, Based>();
  private readonly escaped = new Set<Base>();

  constructor(func: Func) {
    const { blocks, registers } = func;
    const definitions = new Int32Array(registers.length);
    for (let parameter = 0; parameter < func.parameters; parameter++) definitions[parameter] = 1;
    let hasBase = false;
    for (const { body } of blocks) {
      for (const i of body) {
        forEachWritten(i, (register) => definitions[register]!++);
        hasBase ||= isBase(i);
      }
    }
    if (!hasBase) return;
    // The text may use an address before it computes it.
    for (let size = -1; size !== this.known.size; ) {
      size = this.known.size;
      for (const { body } of blocks) {
        for (const i of body) {
          if (!('dest' in i) || i.dest === undefined || definitions[i.dest] !== 1 || this.known.has(i.dest)) continue;
          const found = isBase(i) ? { base: i, offset: 0 } : this.derived(i);
          if (found !== undefined) this.known.set(i.dest, found);
        }
      }
    }
    for (const { body } of blocks) for (const i of body) this.findEscapes(i);
  }

  /** What the operand is an address in, if that is known. */
  of(operand: Operand): Based | undefined {
    return operand.kind === 'register' ? this.known.get(operand.index) : undefined;
  }

  /** The instruction computes another address in the same object. */
  private derived(i: Instruction): Based | undefined {
    if (i.op === 'move') return this.of(i.value);
    if (i.op === 'cast' && (i.operator === 'sext' || i.operator === 'address')) return this.of(i.value);
    if (i.op !== 'binary' || i.operator !== 'add' || i.right.kind !== 'constant') return undefined;
    const from = this.of(i.left);
    return from && { base: from.base, offset: from.offset + Number(i.right.value) };
  }

  /** Whether the object's address is used for more than to load and store: others may have it. */
  escapes(base: Base): boolean {
    return this.escaped.has(base);
  }

  private findEscapes(i: Instruction): void {
    if ('dest' in i && i.dest !== undefined && this.known.has(i.dest)) return;
    const note = (operand: Operand): void => {
      const based = this.of(operand);
      if (based !== undefined) this.escaped.add(based.base);
    };
    if (i.op === 'refresh') return;
    if (!isPlainAccess(i)) forEachOperand(i, note);
    else if ('value' in i) note(i.value);
  }
}

function isBase(i: Instruction): i is Base {
  return i.op === 'alloca' || i.op === 'threadlocal';
}

/** Whether it only loads from or stores to its `address`. */
export function isPlainAccess(i: Instruction): i is PlainAccess {
  switch (i.op) {
    case 'peek':
    case 'poke':
    case 'glance':
      return true;
    case 'load':
    case 'store':
      return i.order === 'plain' || i.order === 'volatile';
    default:
      return false;
  }
}

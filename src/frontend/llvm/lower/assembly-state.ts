/**
 * The operands of inline assembly while its instructions are lowered: the known contents of each register.
 *
 * GCC's rules for operands leave the choice of registers to the compiler. Only what does not depend on that choice is
 * modelled: inputs are not changed, and neither an input nor an address is used after an output was written that may be
 * in the same register. Everything else is refused.
 */
import { reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import { bitsOf, isFloat, type Type } from '../../../program/types.ts';
import {
  type AssemblyCall,
  type Constraint,
  isMemory,
  outputTypes,
  readConstraints,
  registerOf,
  tieOf,
} from './assembly-operands.ts';
import type { FunctionContext } from './function-context.ts';

export interface Known {
  readonly value: Operand;
  readonly type: Type;
}

/** A register; `known` are its lower bits. */
export interface Slot {
  known: Known | undefined;
  readonly isOutput: boolean;
  readonly isEarly: boolean;
}

export interface AssemblyOperand {
  readonly constraint: Constraint;
  /** Its type in C. Irrelevant for an operand in memory. */
  readonly type?: Type;
  /** None for an operand in memory. */
  readonly slot?: Slot;
}

/** As the text names it: `$1`, or with the size of the register, `${1:b}`. */
export interface NamedOperand extends AssemblyOperand {
  readonly size: string;
}

export const SIZES: Readonly<Record<string, Type>> = { b: 'i8', w: 'i16', k: 'i32', l: 'i32', q: 'i64' };

export class AssemblyState {
  readonly into: FunctionContext;
  readonly operands: readonly AssemblyOperand[];
  /** Slots by the names of their registers. */
  readonly named: Map<string, Slot> = new Map();
  /** The instruction being lowered, for messages. */
  current: string;
  /** Whether an output has been written that may share its register with an input or an address. */
  private isOverwritten = false;

  constructor(into: FunctionContext, call: AssemblyCall) {
    this.into = into;
    this.current = call.callee.text;
    const types = [...outputTypes(into.context.layout.resolve(call.type))];
    const constraints = readConstraints(call) ?? this.refuse('its constraints are not supported');
    const operands: AssemblyOperand[] = [];
    for (const constraint of constraints) {
      const { isOutput, isIndirect, argument } = constraint;
      if (isMemory(constraint)) {
        operands.push({ constraint });
        continue;
      }
      if (isIndirect && !isOutput) this.refuse('an input that may or may not be in memory is not modelled');
      const type = isOutput ? (isIndirect ? argument!.elementtype : types.shift()) : argument!.type;
      if (type === undefined) this.refuse('the type of an operand is not known');
      const slot = isOutput ? this.outputSlot(constraint) : this.inputSlot(constraint, operands);
      operands.push({ constraint, type: into.scalar(type!), slot });
    }
    this.operands = operands;
  }

  refuse(reason: string): never {
    const text = this.current.replace(/\s+/g, ' ').trim().slice(0, 60);
    return this.into.fail(`unsupported inline assembly: "${text}"; ${reason}`);
  }

  private outputSlot(constraint: Constraint): Slot {
    const slot: Slot = { known: undefined, isOutput: true, isEarly: constraint.isEarly };
    const register = registerOf(constraint);
    if (register !== undefined) this.named.set(register, slot);
    return slot;
  }

  private inputSlot(constraint: Constraint, outputs: readonly AssemblyOperand[]): Slot {
    const { type, value } = constraint.argument!;
    const [tie, register] = [tieOf(constraint), registerOf(constraint)];
    let slot = register === undefined ? undefined : this.named.get(register);
    if (tie !== undefined) slot = outputs[tie]?.slot ?? this.refuse('an input is tied to an output that is in memory');
    slot ??= { known: undefined, isOutput: false, isEarly: false };
    if (register !== undefined) this.named.set(register, slot);
    slot.known = { value: this.into.operand(value, type), type: this.into.scalar(type) };
    return slot;
  }

  /** The operand that a piece of an instruction names, if any. */
  find(text: string): NamedOperand | undefined {
    const match = /^\$(?:(\d+)|\{(\d+):([bwkq])\})$/.exec(text);
    const operand = match === null ? undefined : this.operands[Number(match[1] ?? match[2])];
    return operand === undefined ? undefined : { ...operand, size: match![3] ?? '' };
  }

  isInMemory(text: string): boolean {
    const operand = this.find(text);
    return operand !== undefined && isMemory(operand.constraint);
  }

  /** The address of an operand in memory; the next instruction accesses it. */
  address(text: string): Operand {
    if (!this.isInMemory(text)) this.refuse(`"${text}" is not a memory operand`);
    if (this.isOverwritten) this.refuse('an address may be in the register of an output that was written before');
    const { value, type } = this.find(text)!.constraint.argument!;
    const address = this.into.operand(value, type);
    this.into.locateAccess(value);
    return address;
  }

  /** The register that an instruction for values of this type names. */
  register(text: string, type: Type): Slot {
    const operand = this.find(text);
    if (operand?.slot === undefined || isFloat(operand.type!)) {
      return this.refuse(`"${text}" is not a register operand`);
    }
    if (registerType(operand) !== type) this.refuse(`the size of "${text}" differs from the instruction's`);
    return operand.slot;
  }

  read(slot: Slot, type: Type): Operand {
    if (slot.known === undefined) return this.refuse('it reads an operand that has no value');
    if (this.isOverwritten && !slot.isOutput) {
      this.refuse('an input may be in the register of an output that was written before');
    }
    return this.convert(slot.known, type);
  }

  write(slot: Slot, dest: Dest, type: Type): void {
    if (!slot.isOutput) this.refuse('it changes an operand that is an input only; make it an output with "+"');
    if (!slot.isEarly) this.isOverwritten = true;
    slot.known = { value: reg(dest), type };
  }

  /** The lower bits, as many as the type has. */
  convert({ value, type: from }: Known, to: Type): Operand {
    if (from === to) return value;
    const isBoolean = from === 'i1' && to === 'i8';
    if (!isBoolean && (isFloat(from) || isFloat(to) || bitsOf(from) < bitsOf(to))) {
      return this.refuse('not all bits of an operand are known');
    }
    const dest = this.into.temporary(to);
    this.into.builder.cast(isBoolean ? 'zext' : 'trunc', dest, value);
    return reg(dest);
  }
}

/** How many bits of the register are used. */
export function registerType({ size, type }: NamedOperand): Type | undefined {
  return SIZES[size] ?? (type === 'i1' ? 'i8' : type);
}

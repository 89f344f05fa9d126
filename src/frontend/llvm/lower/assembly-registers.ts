/**
 * The registers of inline assembly, and what is known about them at each point of its text.
 *
 * GCC's rules for operands leave the choice of registers to the compiler. Only what does not depend on that choice is
 * modelled: inputs are not changed, and neither an input nor an address is used after writing an output that may be in
 * the same register. Bits that were never set are not read. Everything else is refused.
 */
import type { Dest } from '../../../program/ir.ts';
import { bitsOf, isFloat, type Order, type Type } from '../../../program/types.ts';
import type { Argument } from '../ir/module.ts';
import {
  type AssemblyCall,
  type Constraint,
  clobberedRegisters,
  isMemory,
  isPair,
  outputTypes,
  readConstraints,
  registerOf,
  tieOf,
} from './assembly-operands.ts';
import type { Target } from './assembly-text.ts';
import type { FunctionContext } from './function-context.ts';

/** A whole register. */
export interface Slot {
  /** Its index in `Facts.known`. */
  readonly index: number;
  readonly isOutput: boolean;
  readonly isEarly: boolean;
  /** Its initial content, if that is the whole of an input. */
  argument: Argument | undefined;
  /** How many bits are known initially. */
  initial: number;
  /** How many bits are used, over all instructions. */
  bits: number;
  /** Whether an instruction writes it. */
  isChanged: boolean;
  /** It is an output that is not set on every path through the statement. */
  isMaybeUnset: boolean;
  /** The register of the program that holds it; a floating-point value is only passed through. */
  cell: Dest | undefined;
  type: Type;
}

export interface AssemblyOperand {
  readonly constraint: Constraint;
  /** Its type in C. Irrelevant for an operand in memory. */
  readonly type?: Type;
  /** None for an operand in memory. */
  readonly slot?: Slot;
  /** The upper half, for an operand in two registers. */
  readonly upper?: Slot;
}

/** See `assembly-flags.ts`. */
export type Flag = 'Z' | 'S' | 'C' | 'O' | 'P';

/** A load-exclusive without its store-exclusive. */
interface Reservation {
  readonly place: string;
  readonly type: Type;
  readonly order: Order;
}

/** What holds whenever execution reaches a point of the text. */
export interface Facts {
  /** For each slot, how many of its lower bits have a value. */
  readonly known: readonly number[];
  /** Whether an output has been written that may share its register with an input or an address. */
  readonly isOverwritten: boolean;
  /** Registers without a value that hold the same content as another one without a value. */
  readonly copies: Readonly<Record<number, number>>;
  /** The flags that have a value, as a set of letters. */
  readonly flags: string;
  readonly reserved: Reservation | undefined;
}

/** What holds if at least one of the two does. */
export function either(a: Facts | undefined, b: Facts | undefined): Facts | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isSame = JSON.stringify(a.reserved) === JSON.stringify(b.reserved);
  return {
    known: Array.from({ length: Math.max(a.known.length, b.known.length) }, (_, i) =>
      Math.min(a.known[i] ?? 0, b.known[i] ?? 0),
    ),
    isOverwritten: a.isOverwritten || b.isOverwritten,
    copies: Object.fromEntries(Object.entries(a.copies).filter(([to, from]) => b.copies[Number(to)] === from)),
    flags: [...a.flags].filter((flag) => b.flags.includes(flag)).join(''),
    reserved: isSame ? a.reserved : undefined,
  };
}

export class AssemblyRegisters {
  readonly operands: readonly AssemblyOperand[];
  readonly slots: Slot[] = [];
  /** Operands by the names of their registers. */
  readonly named: Map<string, Slot> = new Map();
  private readonly clobbered: ReadonlySet<string>;
  private readonly target: Target;
  private readonly refuse: (reason: string) => never;

  constructor(into: FunctionContext, call: AssemblyCall, target: Target, refuse: (reason: string) => never) {
    this.target = target;
    this.refuse = refuse;
    this.clobbered = new Set(clobberedRegisters(call));
    const types = [...outputTypes(into.context.layout.resolve(call.type))];
    const constraints = readConstraints(call) ?? refuse('its constraints are not supported');
    const operands: AssemblyOperand[] = [];
    for (const constraint of constraints) {
      const { isOutput, isIndirect, argument } = constraint;
      if (isMemory(constraint)) {
        operands.push({ constraint });
        continue;
      }
      if (isIndirect && !isOutput) refuse('an input that may or may not be in memory is not modelled');
      const given = isOutput ? (isIndirect ? argument!.elementtype : types.shift()) : argument!.type;
      if (given === undefined) refuse('the type of an operand is not known');
      const type = into.scalar(given!);
      if (isPair(constraint)) operands.push(this.pair(constraint, type));
      else if (isOutput) operands.push({ constraint, type, slot: this.output(constraint, type) });
      else operands.push(this.input(constraint, type, operands));
    }
    this.operands = operands;
  }

  /** What holds at the start. */
  get facts(): Facts {
    return {
      known: this.slots.map(({ initial }) => initial),
      isOverwritten: false,
      copies: {},
      flags: '',
      reserved: undefined,
    };
  }

  /** A register by its name in the text: an operand, or a register that the statement clobbers. */
  find(name: string): Slot | undefined {
    const found = this.named.get(name);
    if (found !== undefined || !this.clobbered.has(name)) return found;
    const slot = this.slot(true, true, 8);
    this.named.set(name, slot);
    return slot;
  }

  private slot(isOutput: boolean, isEarly: boolean, bits: number): Slot {
    const rest = { argument: undefined, initial: 0, isChanged: false, isMaybeUnset: false, cell: undefined };
    const slot: Slot = { index: this.slots.length, isOutput, isEarly, bits, type: 'i8', ...rest };
    this.slots.push(slot);
    return slot;
  }

  private output(constraint: Constraint, type: Type): Slot {
    const slot = this.slot(true, constraint.isEarly, widthOf(type));
    if (isFloat(type) && !isGeneral(constraint)) slot.type = type;
    const register = registerOf(constraint);
    if (register !== undefined) this.named.set(register, slot);
    return slot;
  }

  private input(constraint: Constraint, type: Type, outputs: readonly AssemblyOperand[]): AssemblyOperand {
    const [tie, register] = [tieOf(constraint), registerOf(constraint)];
    let slot = register === undefined ? undefined : this.named.get(register);
    const tied = tie === undefined ? undefined : outputs[tie];
    if (tie !== undefined) slot = tied?.slot ?? this.refuse('an input is tied to an output that is in memory');
    slot ??= this.slot(false, false, 8);
    if (register !== undefined) this.named.set(register, slot);
    const isInOther = tied === undefined ? isFloat(type) && !isGeneral(constraint) : isFloat(slot.type);
    if (isInOther !== isFloat(slot.type) && (isFloat(slot.type) || slot.isOutput)) {
      this.refuse('an input and its output have different kinds of types');
    }
    if (isInOther) slot.type = type;
    const upper = tied?.upper;
    const width = upper === undefined ? widthOf(type) : 32;
    for (const half of [slot, upper]) {
      if (half === undefined) continue;
      half.initial = width;
      half.bits = Math.max(half.bits, width);
    }
    if (upper === undefined) slot.argument = constraint.argument!;
    return { constraint, type, slot, ...(upper === undefined ? {} : { upper }) };
  }

  /** `A` on i386: the lower half is in `a`, the upper one in `d`. On other machines the letter means other things. */
  private pair(constraint: Constraint, type: Type): AssemblyOperand {
    if (type !== 'i64' || this.target.architecture !== 'x86' || this.target.bits !== 32) {
      return this.refuse('its constraints are not supported');
    }
    const [slot, upper] = [
      this.slot(constraint.isOutput, constraint.isEarly, 32),
      this.slot(constraint.isOutput, constraint.isEarly, 32),
    ];
    this.named.set('a', slot);
    this.named.set('d', upper);
    if (!constraint.isOutput) for (const half of [slot, upper]) half.initial = 32;
    return { constraint, type, slot, upper };
  }
}

/** Whether it is in a general register, where a floating-point number is only its bits. */
function isGeneral({ code }: Constraint): boolean {
  return /^(?:[rqQRabcdSDJIKLMNOnieZ|]+|\{(?:[er]?[abcd]x|[er]?[sd]i|r\d+|x\d+)\})$/.test(code);
}

/** A truth value takes one byte of its register. */
function widthOf(type: Type): number {
  return type === 'i1' ? 8 : bitsOf(type);
}

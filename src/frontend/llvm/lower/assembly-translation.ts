/**
 * Translates one statement of inline assembly into the program.
 *
 * Each processor register that the statement uses is one register of the program; a label begins a block. The text is
 * translated several times: first into a builder that is thrown away, until what is known at every label (`Facts`)
 * holds on all paths to it, and then once more for the program.
 *
 * An access to memory is a relaxed atomic access unless the instruction says more: processors do not tear it, and two
 * conflicting ones are not undefined behaviour.
 */
import { constant, FunctionBuilder, int, reg } from '../../../program/builder.ts';
import type { Target as Block, Dest, Operand } from '../../../program/ir.ts';
import { junkOf } from '../../../program/junk.ts';
import type { BinaryOperator, CastOperator, Predicate, RmwOperator } from '../../../program/operators.ts';
import { bitsOf, isFloat, type Order, type Type } from '../../../program/types.ts';
import type { Argument } from '../ir/module.ts';
import type { Fence } from './assembly-barriers.ts';
import type { AssemblyCall } from './assembly-operands.ts';
import { AssemblyRegisters, either, type Facts, type Flag, type Slot } from './assembly-registers.ts';
import {
  type Architecture,
  type AssemblyInstruction,
  CLOCK,
  readAssembly,
  type Target,
  targetOf,
} from './assembly-text.ts';
import type { FunctionContext } from './function-context.ts';
import { FAILS_TO_EXCHANGE } from './program-symbols.ts';

/** A place in memory: an offset from a pointer that was passed to the statement. */
export interface Memory {
  readonly kind: 'memory';
  readonly pointer: Argument;
  readonly offset: number;
  /** Bytes to add that are known only at run time, an i32. */
  readonly index?: Operand;
  /** Equal for equal places. */
  readonly key: string;
}

/** Part of a register: `shift` is 8 for `%h0`. */
export interface Register {
  readonly kind: 'register';
  readonly slot: Slot;
  readonly type: Type;
  readonly shift: number;
}

/**
 * What happens to the rest of a register when its lower bits are written: it stays, or is known or unknown afterwards.
 */
export type Extension = 'merge' | 'zero' | 'sign' | 'unknown';

const INTEGERS: readonly Type[] = ['i8', 'i16', 'i32', 'i64'];

/** The integer type with this many bits. */
export function integerOf(bits: number): Type {
  return INTEGERS.find((type) => bitsOf(type) >= bits)!;
}

export class Translation {
  readonly into: FunctionContext;
  readonly call: AssemblyCall;
  readonly target: Target;
  readonly instructions: readonly AssemblyInstruction[];
  readonly registers: AssemblyRegisters;
  builder: FunctionBuilder;
  /** Whether this pass only collects facts. */
  isDry = true;
  /** What holds before the current instruction; `undefined` if it cannot be reached. */
  facts: Facts | undefined;
  /** The index of the current instruction. */
  at = 0;
  /** Instructions before this one were translated together with an earlier one. */
  next = 0;
  /** The flags that are read anywhere. */
  readonly readFlags: Set<Flag> = new Set();
  private readonly flagCells = new Map<Flag, Dest>();
  /** What holds at each label on every path to it, by the index of its instruction. */
  private readonly atLabels = new Map<number, Facts>();
  private readonly blocks = new Map<number, Block>();

  /** The value that the last load-exclusive read. */
  private reservedCell: { readonly cell: Dest; readonly type: Type } | undefined;

  constructor(into: FunctionContext, call: AssemblyCall) {
    this.into = into;
    this.call = call;
    this.target = targetOf(into.context.module.triple);
    this.instructions = readAssembly(call.callee.text, this.target.architecture);
    this.at = -1;
    this.builder = into.builder;
    this.registers = new AssemblyRegisters(into, call, this.target, (reason) => this.refuse(reason));
  }

  get architecture(): Architecture {
    return this.target.architecture;
  }

  refuse(reason: string): never {
    const text = this.instructions?.[this.at]?.text ?? this.call.callee.text;
    const short = text.replace(/\s+/g, ' ').trim().slice(0, 60);
    return this.into.fail(`unsupported inline assembly: "${short}"; ${reason}`);
  }

  /** Calls `lower` for each reachable instruction, and `finish` at the end. */
  run(lower: (instruction: AssemblyInstruction) => void, finish: () => void): void {
    for (;;) {
      const before = this.summary;
      this.builder = new FunctionBuilder('', 0, [], {});
      this.pass(lower, finish);
      if (this.summary === before) break;
    }
    this.isDry = false;
    this.builder = this.into.builder;
    this.prepare();
    this.pass(lower, finish);
  }

  /** What the passes learn; the dry passes end when it stays the same. */
  private get summary(): string {
    const slots = this.registers.slots.map(({ bits, isChanged }) => [bits, isChanged]);
    return JSON.stringify([[...this.atLabels], [...this.readFlags], slots]);
  }

  private pass(lower: (instruction: AssemblyInstruction) => void, finish: () => void): void {
    this.facts = this.registers.facts;
    this.flagCells.clear();
    this.blocks.clear();
    this.reservedCell = undefined;
    this.next = 0;
    for (const [number, instruction] of this.instructions.entries()) {
      this.at = number;
      if (instruction.labels.length > 0) this.begin(number);
      if (number < this.next) continue;
      if (this.facts !== undefined && instruction.name !== '') lower(instruction);
    }
    this.at = -1;
    if (!this.builder.open) this.builder.startBlock(this.builder.block(''));
    finish();
  }

  /** Creates the program's registers and moves the inputs into them. */
  private prepare(): void {
    for (const slot of this.registers.slots) {
      if (!isFloat(slot.type)) slot.type = integerOf(slot.bits);
      slot.cell = this.temporary(slot.type);
      // Like an uninitialised variable.
      if (slot.isMaybeUnset) this.builder.move(slot.cell, constant(slot.type, junkOf(slot.type)));
    }
    for (const { constraint, type, slot, upper } of this.registers.operands) {
      if (constraint.isOutput || slot === undefined) continue;
      const { value, type: given } = constraint.argument!;
      const operand = this.into.operand(value, given);
      const [bits, from] = this.asBits(operand, type!, slot);
      this.builder.move(slot.cell!, this.fit(bits, from, slot.type));
      if (upper === undefined) continue;
      const half = this.binary('lshr', 'i64', operand, int(32, 'i64'));
      this.builder.move(upper.cell!, this.cast('trunc', 'i32', half));
    }
  }

  /** A floating-point number in a general register, as an integer. */
  private asBits(value: Operand, type: Type, slot: Slot): readonly [Operand, Type] {
    if (!isFloat(type) || isFloat(slot.type)) return [value, type];
    const bits: Type = type === 'f32' ? 'i32' : 'i64';
    return [this.cast('bitcast', bits, value), bits];
  }

  // ---- labels

  private begin(number: number): void {
    const known = either(this.facts, this.atLabels.get(number));
    const block = this.blockOf(number);
    if (this.facts !== undefined) this.builder.jump(block);
    this.builder.startBlock(block);
    if (known !== undefined) this.atLabels.set(number, known);
    this.facts = known;
    if (known === undefined && !this.isDry) this.builder.unreachable();
  }

  private blockOf(number: number): Block {
    let block = this.blocks.get(number);
    if (block === undefined) {
      block = this.builder.block('');
      this.blocks.set(number, block);
    }
    return block;
  }

  /** The index of the instruction that a jump leads to: `1b` and `1f` are the nearest labels before and after it. */
  labelled(text: string): number {
    const local = /^(\d+)([bf])$/.exec(text);
    const [name, direction] = local === null ? [text, ''] : [local[1]!, local[2]!];
    const has = ({ labels }: AssemblyInstruction): boolean => labels.includes(name);
    const isLocal = /^\d+$/.test(name);
    const found = [...this.instructions.keys()].filter((n) => has(this.instructions[n]!));
    if (direction === 'b') return found.findLast((n) => n <= this.at) ?? this.refuse(`there is no label "${text}"`);
    if (direction === 'f') return found.find((n) => n > this.at) ?? this.refuse(`there is no label "${text}"`);
    if (isLocal || found.length !== 1) this.refuse(`"${text}" is not a label of this statement`);
    return found[0]!;
  }

  jump(text: string): void {
    this.leaveTo(this.labelled(text));
    this.facts = undefined;
  }

  branch(condition: Operand, text: string): void {
    const number = this.labelled(text);
    const after = this.builder.block('');
    this.atLabels.set(number, either(this.facts, this.atLabels.get(number))!);
    this.builder.branch(condition, this.blockOf(number), after);
    this.builder.startBlock(after);
  }

  private leaveTo(number: number): void {
    this.atLabels.set(number, either(this.facts, this.atLabels.get(number))!);
    this.builder.jump(this.blockOf(number));
  }

  // ---- values

  temporary(type: Type): Dest {
    return this.builder.register('', type);
  }

  binary(operator: BinaryOperator, type: Type, left: Operand, right: Operand): Operand {
    const dest = this.temporary(type);
    this.builder.binary(operator, dest, left, right);
    return reg(dest);
  }

  compare(predicate: Predicate, left: Operand, right: Operand): Operand {
    const dest = this.temporary('i1');
    this.builder.compare(predicate, dest, left, right);
    return reg(dest);
  }

  cast(operator: CastOperator, to: Type, value: Operand): Operand {
    const dest = this.temporary(to);
    this.builder.cast(operator, dest, value);
    return reg(dest);
  }

  select(type: Type, condition: Operand, ifTrue: Operand, ifFalse: Operand): Operand {
    const dest = this.temporary(type);
    this.builder.select(dest, condition, ifTrue, ifFalse);
    return reg(dest);
  }

  /** Truncates, or extends with zeroes. */
  fit(value: Operand, from: Type, to: Type): Operand {
    if (from === to) return value;
    if (isFloat(from) || isFloat(to)) return this.refuse('an input and its output have different kinds of types');
    return this.cast(bitsOf(from) < bitsOf(to) ? 'zext' : 'trunc', to, value);
  }

  number(value: bigint, type: Type): Operand {
    const bits = bitsOf(type);
    if (value < -(1n << BigInt(bits - 1)) || value >= 1n << BigInt(bits)) this.refuse('a number is too large');
    const wrapped = BigInt.asIntN(bits, value);
    return constant(type, type === 'i64' ? wrapped : Number(wrapped));
  }

  // ---- registers

  /** The bits of a register; later writes to it do not change them. */
  read({ slot, type, shift }: Register): Operand {
    const known = this.facts!.known[slot.index] ?? 0;
    if (isFloat(slot.type)) return this.refuse('a floating-point operand is not modelled');
    if (known === 0) this.refuse('it reads an operand that has no value');
    this.checkInput(slot);
    if (known < bitsOf(type) + shift) this.refuse('not all bits of an operand are known');
    slot.bits = Math.max(slot.bits, bitsOf(type) + shift);
    if (this.isDry) return int(0, type);
    const dest = this.temporary(type);
    if (shift === 0 && slot.type === type) this.builder.move(dest, slot.cell!);
    else {
      const value =
        shift === 0 ? reg(slot.cell!) : this.binary('lshr', slot.type, reg(slot.cell!), int(shift, slot.type));
      this.builder.cast('trunc', dest, value);
    }
    return reg(dest);
  }

  /** The widest integer type whose bits all have a value; none if not even a byte has. */
  knownType(slot: Slot): Type | undefined {
    const known = this.facts!.known[slot.index] ?? 0;
    return INTEGERS.findLast((type) => bitsOf(type) <= known);
  }

  private checkInput(slot: Slot): void {
    if (this.facts!.isOverwritten && !slot.isOutput) {
      this.refuse('an input may be in the register of an output that was written before');
    }
  }

  write({ slot, type, shift }: Register, value: Operand, extension: Extension): void {
    if (isFloat(slot.type)) this.refuse('a floating-point operand is not modelled');
    if (!slot.isOutput) this.refuse('it changes an operand that is an input only; make it an output with "+"');
    slot.isChanged = true;
    const bits = bitsOf(type) + shift;
    slot.bits = Math.max(slot.bits, bits);
    const before = this.facts!.known[slot.index] ?? 0;
    if (shift > before) this.refuse('not all bits of an operand are known');
    const after = extension === 'unknown' ? bits : extension === 'merge' ? Math.max(before, bits) : 64;
    const known = [...this.facts!.known];
    while (known.length < slot.index) known.push(0);
    known[slot.index] = after;
    this.facts = { ...this.facts!, known, isOverwritten: this.facts!.isOverwritten || !slot.isEarly };
    this.endCopies(slot);
    if (this.isDry) return;
    const { cell } = slot;
    const width = bitsOf(slot.type);
    if (width === bitsOf(type)) return this.builder.move(cell!, value);
    if (extension === 'sign') return this.builder.cast('sext', cell!, value);
    const wide = this.cast('zext', slot.type, value);
    if (extension !== 'merge') return this.builder.move(cell!, wide);
    const mask = ~(((1n << BigInt(bitsOf(type))) - 1n) << BigInt(shift));
    const rest = this.binary('and', slot.type, reg(cell!), this.number(BigInt.asIntN(width, mask), slot.type));
    const shifted = shift === 0 ? wide : this.binary('shl', slot.type, wide, int(shift, slot.type));
    this.builder.binary('or', cell!, rest, shifted);
  }

  /** Whether the register has no value. */
  isUnset(slot: Slot): boolean {
    return (this.facts!.known[slot.index] ?? 0) === 0;
  }

  /** Copies a register without a value: afterwards both hold the same, whatever it is. */
  copyUnset(from: Slot, to: Slot): void {
    if (!to.isOutput || !to.isEarly || !from.isOutput) this.refuse('it reads an operand that has no value');
    this.forget(to);
    this.endCopies(to);
    this.facts = { ...this.facts!, copies: { ...this.facts!.copies, [to.index]: from.index } };
  }

  isCopy(to: Slot, from: Slot): boolean {
    return this.facts!.copies[to.index] === from.index;
  }

  private endCopies({ index }: Slot): void {
    const rest = Object.entries(this.facts!.copies).filter(([to, from]) => Number(to) !== index && from !== index);
    this.facts = { ...this.facts!, copies: Object.fromEntries(rest) };
  }

  /** Gives a whole register an unknown content, such as the processor's number. */
  forget(slot: Slot): void {
    const known = [...this.facts!.known];
    known[slot.index] = 0;
    this.facts = { ...this.facts!, known };
  }

  // ---- flags

  flagCell(flag: Flag): Dest {
    let cell = this.flagCells.get(flag);
    if (cell === undefined) {
      cell = this.temporary('i1');
      this.flagCells.set(flag, cell);
    }
    return cell;
  }

  flag(flag: Flag): Operand {
    if (!this.facts!.flags.includes(flag)) this.refuse('no supported instruction has set the condition it tests');
    this.readFlags.add(flag);
    const dest = this.temporary('i1');
    this.builder.move(dest, this.flagCell(flag));
    return reg(dest);
  }

  // ---- memory

  /** A place that a register of the statement points to. */
  pointedTo(slot: Slot, offset: number): Memory {
    const pointer = slot.argument;
    if (pointer === undefined || slot.isChanged || this.facts!.known[slot.index] === 0)
      return this.refuse('it computes an address');
    this.checkInput(slot);
    return { kind: 'memory', pointer, offset, key: JSON.stringify([pointer.value, offset], printed) };
  }

  /** An operand in memory. */
  operandInMemory(pointer: Argument): Memory {
    return { kind: 'memory', pointer, offset: 0, key: JSON.stringify([pointer.value, 0], printed) };
  }

  private address({ pointer, offset, index }: Memory): Operand {
    if (this.facts!.isOverwritten) {
      this.refuse('an address may be in the register of an output that was written before');
    }
    // Any access after a load-exclusive ends its reservation.
    this.facts = { ...this.facts!, reserved: undefined };
    if (this.isDry) return int(0);
    const base = this.into.offset(this.start(pointer), offset);
    const address = index === undefined ? base : this.binary('add', 'i32', base, index);
    this.into.locateAccess(pointer.value);
    return address;
  }

  /** The address that an operand holds: a pointer, or an integer used as one. */
  private start({ type, value }: Argument): Operand {
    const { into } = this;
    if (into.context.layout.resolve(type).kind === 'ptr') return into.address(value);
    return into.toAddress(into.operand(value, type), into.scalar(type));
  }

  load(place: Memory, type: Type, order: Order = 'relaxed'): Operand {
    const [address, dest] = [this.address(place), this.temporary(type)];
    this.builder.load(dest, address, order);
    return reg(dest);
  }

  store(place: Memory, value: Operand, order: Order = 'relaxed'): void {
    this.builder.store(this.address(place), value, order);
  }

  /** Returns the old value. */
  rmw(operator: RmwOperator, place: Memory, type: Type, value: Operand, order: Order): Operand {
    const [address, dest] = [this.address(place), this.temporary(type)];
    this.builder.rmw(operator, dest, address, value, order);
    return reg(dest);
  }

  compareExchange(
    place: Memory,
    type: Type,
    [expected, desired]: readonly [expected: Operand, desired: Operand],
    [order, failureOrder]: readonly [success: Order, failure: Order],
  ): { readonly old: Operand; readonly success: Operand } {
    const [address, old, success] = [this.address(place), this.temporary(type), this.temporary('i1')];
    this.builder.cmpxchg(old, success, address, expected, desired, order, failureOrder);
    return { old: reg(old), success: reg(success) };
  }

  /** Whether an operation succeeds; with `--spurious` it may fail for no reason and then has no effect. */
  unlessSpurious(succeeds: () => Operand): Operand {
    const { builder, into } = this;
    if (this.isDry || !into.program.isSpurious || into.linked.isLibrary) return succeeds();
    const [fails, isFailure, success] = [this.temporary('i32'), this.temporary('i1'), this.temporary('i1')];
    const [other, after] = [builder.block(''), builder.block('')];
    into.locate(undefined);
    builder.call(fails, into.address({ kind: 'global', name: FAILS_TO_EXCHANGE }), []);
    builder.compare('ne', isFailure, reg(fails), int(0));
    builder.move(success, int(0, 'i1'));
    builder.branch(reg(isFailure), after, other);
    builder.startBlock(other);
    builder.move(success, succeeds());
    builder.jump(after);
    builder.startBlock(after);
    return reg(success);
  }

  /** Keeps the value of a load-exclusive. */
  reserve(place: Memory, type: Type, order: Order, value: Operand): void {
    if (this.reservedCell?.type !== type) this.reservedCell = { cell: this.temporary(type), type };
    this.builder.move(this.reservedCell.cell, value);
    this.facts = { ...this.facts!, reserved: { place: place.key, type, order } };
  }

  /** The value of the load-exclusive that a store-exclusive belongs to, and its order. */
  reserved(place: Memory, type: Type): { readonly value: Operand; readonly order: Order } {
    const { reserved } = this.facts!;
    if (reserved?.place !== place.key || reserved.type !== type) {
      this.refuse('a store-exclusive needs its load-exclusive in the same statement, and no access in between');
    }
    return { value: reg(this.reservedCell!.cell), order: reserved!.order };
  }

  /** The addresses of a place and of the 8 bytes after it. */
  halves(place: Memory): readonly [lower: Operand, upper: Operand] {
    const address = this.address(place);
    return [address, this.isDry ? address : this.into.offset(address, 8)];
  }

  /** The time of the thread's own clock, as `clock_gettime` reads it, in nanoseconds. */
  clock(): Operand {
    const dest = this.temporary('i64');
    if (this.isDry) return reg(dest);
    this.into.locate(undefined);
    const callee = this.into.address({ kind: 'global', name: CLOCK });
    this.builder.call(dest, callee, []);
    return reg(dest);
  }

  /** Ends the program as `abort` does; nothing after it runs. */
  abort(): void {
    if (!this.isDry) this.into.locate(undefined);
    this.builder.assert(constant('i1', 0), 'abort called');
    this.builder.unreachable();
    this.facts = undefined;
  }

  fence(fence: Fence): void {
    this.facts = { ...this.facts!, reserved: undefined };
    if (!this.isDry) this.into.locate(undefined);
    this.builder.add({ op: 'fence', ...fence });
  }
}

function printed(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

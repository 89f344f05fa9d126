/**
 * Inline assembly. The modelled part, exactly:
 *
 *   - barriers, and instructions that only take time (`assembly-barriers.ts`)
 *   - x86's locked instructions on an operand in memory: read-modify-writes, seq_cst
 *   - `sete` and `setne` after one of these, and outputs with that condition
 *   - operands that no instruction changes: they keep their values (`assembly-state.ts`)
 *
 * Everything else is refused.
 */
import { constant, int, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import { bitsOf, type Type } from '../../../program/types.ts';
import { barrierOf } from './assembly-barriers.ts';
import { type AssemblyCall, conditionOf, isNumber, maybeMemory, maybeNumber } from './assembly-operands.ts';
import { AssemblyState, type Known, registerType, SIZES } from './assembly-state.ts';
import { type AssemblyInstruction, readAssembly } from './assembly-text.ts';
import type { FunctionContext } from './function-context.ts';

const ONLY = "only barriers and x86's locked instructions on operands in memory are modelled";

/** Their effect on memory; `xadd` also returns the old value. */
const OPERATORS = {
  add: 'add',
  sub: 'sub',
  and: 'and',
  or: 'or',
  xor: 'xor',
  inc: 'add',
  dec: 'sub',
  xadd: 'add',
} as const;

export function lowerAssembly(into: FunctionContext, call: AssemblyCall): void {
  new AssemblyLowering(into, call).run();
}

class AssemblyLowering {
  private readonly into: FunctionContext;
  private readonly call: AssemblyCall;
  private readonly state: AssemblyState;
  /** Whether the last result was zero, if an instruction has set that condition. */
  private zero: Dest | undefined;

  constructor(into: FunctionContext, call: AssemblyCall) {
    this.into = into;
    this.call = call;
    this.state = new AssemblyState(into, call);
  }

  run(): void {
    const { text, isIntel } = this.call.callee;
    if (isIntel === true) this.refuse('Intel syntax is not supported');
    for (const instruction of readAssembly(text)) {
      this.state.current = instruction.text;
      this.lower(instruction);
    }
    this.state.current = text;
    this.finish();
  }

  private refuse(reason: string): never {
    return this.state.refuse(reason);
  }

  private lower(instruction: AssemblyInstruction): void {
    const { name, isLocked, operands } = instruction;
    const barrier = barrierOf(instruction);
    if (barrier === 'nothing') return;
    if (typeof barrier === 'object') return this.refuse(barrier.refused);
    if (barrier !== undefined) {
      // A locked instruction sets conditions too, which are not needed here.
      if (isLocked) this.zero = undefined;
      this.into.locate(undefined);
      return this.into.builder.fence(barrier);
    }
    const set = /^set(n?)[ez]$/.exec(name);
    if (set !== null && !isLocked && operands.length === 1) return this.lowerSet(operands[0]!, set[1] === 'n');
    this.lowerAtomic(instruction);
  }

  private lowerAtomic({ name, isLocked, operands }: AssemblyInstruction): void {
    const parts = /^(add|sub|and|or|xor|inc|dec|xadd|xchg|cmpxchg)([bwlq]?)$/.exec(name);
    // An exchange with memory is always locked.
    if (parts === null || !(isLocked || parts[1] === 'xchg')) return this.refuse(ONLY);
    const [operator, suffix] = [parts[1]!, parts[2]!];
    const [first, second, ...more] = operator === 'inc' || operator === 'dec' ? ['$$1', ...operands] : operands;
    if (first === undefined || second === undefined || more.length > 0) return this.refuse(ONLY);
    if (operator === 'xchg') {
      const isSwapped = this.state.isInMemory(first);
      return this.lowerExchange(isSwapped ? second : first, isSwapped ? first : second, suffix);
    }
    const type = this.sizeOf(suffix, first);
    if (operator === 'cmpxchg') return this.lowerCompareExchange(first, second, type);
    this.lowerReadModifyWrite(operator as keyof typeof OPERATORS, first, second, type);
  }

  /** The size of the instruction: that of its suffix, or of its register. */
  private sizeOf(suffix: string, source: string): Type {
    const operand = this.state.find(source);
    const type = SIZES[suffix] ?? (operand === undefined ? undefined : registerType(operand));
    const isSure = suffix !== '' || type === 'i32' || (operand !== undefined && !maybeNumber(operand.constraint));
    if (type === undefined || !isSure) return this.refuse('its size is not known; give it a suffix (b, w, l, q)');
    return type;
  }

  private lowerReadModifyWrite(name: keyof typeof OPERATORS, source: string, place: string, type: Type): void {
    const { into, state } = this;
    const slot = name === 'xadd' ? state.register(source, type) : undefined;
    const value = slot === undefined ? this.value(source, type) : state.read(slot, type);
    const [old, result, zero] = [into.temporary(type), into.temporary(type), into.temporary('i1')];
    into.builder.rmw(OPERATORS[name], old, state.address(place), value, 'seq_cst');
    into.builder.binary(OPERATORS[name], result, old, value);
    into.builder.compare('eq', zero, result, int(0, type));
    this.zero = zero;
    if (slot !== undefined) state.write(slot, old, type);
  }

  private lowerExchange(source: string, place: string, suffix: string): void {
    const { into, state } = this;
    const type = this.sizeOf(suffix, source);
    const slot = state.register(source, type);
    const value = state.read(slot, type);
    const old = into.temporary(type);
    into.builder.rmw('xchg', old, state.address(place), value, 'seq_cst');
    state.write(slot, old, type);
  }

  private lowerCompareExchange(source: string, place: string, type: Type): void {
    const { into, state } = this;
    const accumulator = state.named.get('a') ?? this.refuse('no operand is in its register "a"');
    const desired = state.read(state.register(source, type), type);
    const expected = state.read(accumulator, type);
    const [old, success] = [into.temporary(type), into.temporary('i1')];
    into.builder.cmpxchg(old, success, state.address(place), expected, desired, 'seq_cst', 'seq_cst');
    this.zero = success;
    state.write(accumulator, old, type);
  }

  /** A number, or an operand that is a number or is in a register. */
  private value(text: string, type: Type): Operand {
    const { state } = this;
    const number = /^\$\$(-?)(0x[\da-f]+|[1-9]\d*|0)$/.exec(text);
    if (number !== null) return this.number(BigInt(number[2]!) * (number[1] === '-' ? -1n : 1n), type);
    const constraint = state.find(text)?.constraint;
    if (constraint !== undefined && maybeMemory(constraint)) this.refuse(`"${text}" may be in memory`);
    const given = constraint?.argument?.value;
    if (given?.kind === 'int' && isNumber(constraint!)) return this.number(given.value, type);
    return state.read(state.register(text, type), type);
  }

  private number(value: bigint, type: Type): Operand {
    const bits = bitsOf(type);
    if (value < -(1n << BigInt(bits - 1)) || value >= 1n << BigInt(bits)) this.refuse('a number is too large');
    const wrapped = BigInt.asIntN(bits, value);
    return constant(type, type === 'i64' ? wrapped : Number(wrapped));
  }

  private lowerSet(text: string, isNegated: boolean): void {
    const { into, state } = this;
    const value = this.condition(isNegated, 'i8');
    if (state.isInMemory(text)) into.storeTo(state.address(text), reg(value), false);
    else state.write(state.register(text, 'i8'), value, 'i8');
  }

  private condition(isNegated: boolean, type: Type): Dest {
    const { into } = this;
    const zero = this.zero ?? this.refuse('no supported instruction has set the condition it tests');
    const [bit, dest] = [into.temporary('i1'), into.temporary(type)];
    into.builder.compare('eq', bit, zero, int(isNegated ? 0 : 1, 'i1'));
    if (type === 'i1') into.builder.move(dest, bit);
    else into.builder.cast('zext', dest, bit);
    return dest;
  }

  /** Assigns the outputs the contents of their registers. */
  private finish(): void {
    const { into, state } = this;
    const results: Known[] = [];
    for (const { constraint, type, slot } of state.operands) {
      if (!constraint.isOutput || slot === undefined) continue;
      const condition = /^(n?)[ez]$/.exec(conditionOf(constraint) ?? '');
      const known =
        condition === null ? slot.known : { value: reg(this.condition(condition[1] === 'n', type!)), type: type! };
      if (known === undefined) return this.refuse('it has an output that is never set');
      const value = state.convert(known, type!);
      if (!constraint.isIndirect) {
        results.push({ value, type: type! });
        continue;
      }
      const { argument } = constraint;
      const address = into.operand(argument!.value, argument!.type);
      into.locateAccess(argument!.value);
      into.storeTo(address, value, into.isPrivate(argument!.value));
    }
    if (results.length === 0) return;
    into.moveParts(
      this.call,
      results.map(({ value }) => value),
      results.map(({ type }) => type),
    );
  }
}

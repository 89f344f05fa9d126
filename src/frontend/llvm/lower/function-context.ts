/**
 * One function while it is being lowered: its values and their registers, private addresses, the current place. The
 * lowering of instructions (`lower-function.ts`), calls, intrinsics, primitives and assembly works on it.
 */
import { constant, type FunctionBuilder, int, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import type { Location } from '../../../program/location.ts';
import { bitsOf, type Order, type Type } from '../../../program/types.ts';
import { FrontendError } from '../ir/frontend-error.ts';
import type { LInstruction, LType, LValue, Place, TypedValue } from '../ir/module.ts';
import { AccessNames } from './access-names.ts';
import type { Evaluated } from './constant.ts';
import type { LinkedFunction } from './link.ts';
import type { ModuleContext } from './module-context.ts';
import type { ProgramSymbols } from './program-symbols.ts';
import { StackScopes } from './stack-scopes.ts';
import { classifyAllocas, type Storage } from './storage.ts';

const ZERO = int(0);

type Phi = LInstruction & { op: 'phi' };

export class FunctionContext {
  readonly program: ProgramSymbols;
  readonly context: ModuleContext;
  readonly linked: LinkedFunction;
  readonly builder: FunctionBuilder;
  readonly storage: ReadonlyMap<string, Storage>;
  readonly stackScopes: StackScopes;
  /** The place of the instruction being lowered. */
  place: Place;
  protected readonly names: AccessNames;
  protected readonly values: Map<string, readonly Dest[]> = new Map();
  /** Addresses within a private object, and constants: accesses to these are local. */
  protected readonly privateAddresses: Set<string> = new Set();

  constructor(program: ProgramSymbols, context: ModuleContext, linked: LinkedFunction, builder: FunctionBuilder) {
    this.program = program;
    this.context = context;
    this.linked = linked;
    this.builder = builder;
    const isDefined = (name: string): boolean => {
      const symbol = program.resolve(context.module, name);
      return symbol?.kind === 'function' && !symbol.isLibrary;
    };
    this.storage = classifyAllocas(linked.func, context.layout, isDefined, linked.isLibrary);
    this.place = linked.func.place ?? { file: context.module.sourceFile, line: 1, column: 1 };
    this.names = new AccessNames(linked.func, context);
    this.stackScopes = new StackScopes(linked.func);
  }

  fail(reason: string): never {
    throw new FrontendError(this.place, reason);
  }

  /** Instructions from here on are at `place`; `access` is the source name of what they access. */
  locate(access: Pick<Location, 'variable' | 'pointee'> | undefined): void {
    this.builder.location = access === undefined ? this.place : { ...this.place, ...access };
  }

  /** Instructions from here on access what is at `address`. */
  locateAccess(address: LValue): void {
    this.locate(this.names.of(address));
  }

  // ---- values

  scalar(type: LType): Type {
    const scalar = this.context.layout.scalar(type);
    if (scalar !== undefined) return scalar;
    const resolved = this.context.layout.resolve(type);
    const name = resolved.kind === 'int' ? `${resolved.bits}-bit integer` : resolved.kind;
    const hint =
      resolved.kind === 'int' && resolved.bits > 64
        ? '; in a run of bit-fields, put "unsigned long long : 0;" between them, or try --clang npm'
        : '';
    return this.fail(`a value of type ${name} is unsupported here${hint}`);
  }

  /** The scalar types that a value of this type consists of. */
  protected parts(type: LType): readonly Type[] {
    const resolved = this.context.layout.resolve(type);
    if (resolved.kind === 'struct') return resolved.fields.flatMap((field) => this.parts(field));
    if (resolved.kind === 'array') {
      return Array.from({ length: resolved.count }, () => this.parts(resolved.element)).flat();
    }
    return [this.scalar(type)];
  }

  /** A register for a scalar that is not a named value. */
  temporary(type: Type): Dest {
    return this.builder.register('', type);
  }

  /** The registers of an instruction's result. */
  define(name: string | undefined, types: readonly Type[]): readonly Dest[] {
    const existing = name === undefined ? undefined : this.values.get(name);
    if (existing !== undefined) return existing;
    const dests = types.map((type) => this.builder.register(name ?? '', type));
    if (name !== undefined) this.values.set(name, dests);
    return dests;
  }

  result(i: LInstruction, type: Type): Dest {
    if (i.op === 'call' && this.context.layout.scalar(i.type) !== type) {
      this.fail('the declared result type does not match; fix the declaration');
    }
    return this.define(i.result, [type])[0]!;
  }

  protected declare(phi: Phi): void {
    this.define(phi.result, this.parts(phi.type));
  }

  operand(value: LValue, type: LType): Operand {
    if (value.kind === 'local') return reg(this.registersOf(value.name)[0]!);
    const evaluated = this.context.constants.evaluate(type, value);
    if (evaluated === undefined) return this.fail(`this kind of constant (${value.kind}) is unsupported here`);
    return this.constantOperand(evaluated, this.scalar(type));
  }

  /** The address that a pointer is. */
  address(value: LValue): Operand {
    return this.operand(value, { kind: 'ptr' });
  }

  constantOperand(evaluated: Evaluated, type: Type): Operand {
    switch (evaluated.kind) {
      case 'integer':
        return constant(type, asConstant(type, evaluated.value));
      case 'float':
        return constant(type, evaluated.value);
      case 'address': {
        const { operand, symbol } = this.program.address(this.context.module, evaluated.symbol, this.place);
        if (operand.kind === 'function') return operand;
        const size = symbol?.kind === 'global' ? this.context.layout.sizeOf(symbol.global.type) : 0;
        if (evaluated.offset >= 0 && evaluated.offset <= size) return { ...operand, offset: evaluated.offset };
        // Outside the object: still an address, and an error once it is used.
        const dest = this.temporary('i32');
        this.builder.binary('add', dest, operand, int(evaluated.offset));
        return reg(dest);
      }
    }
  }

  private registersOf(name: string): readonly Dest[] {
    const dests = this.values.get(name);
    if (dests !== undefined) return dests;
    // Defined later in the text, in a block that runs earlier: declare it now.
    const definition = this.linked.func.blocks.flatMap((b) => b.body).find((i) => i.result === name);
    if (definition === undefined) return this.fail(`value %${name} is not defined`);
    return this.define(name, this.resultParts(definition));
  }

  private resultParts(i: LInstruction): readonly Type[] {
    switch (i.op) {
      case 'load':
      case 'phi':
      case 'freeze':
      case 'fneg':
      case 'binary':
      case 'va_arg':
      case 'call':
        return this.parts(i.type);
      case 'cast':
        return [this.scalar(i.to)];
      case 'icmp':
      case 'fcmp':
        return ['i1'];
      case 'select':
        return this.parts(i.ifTrue.type);
      case 'atomicrmw':
        return [this.scalar(i.value.type)];
      case 'cmpxchg':
        return [this.scalar(i.expected.type), 'i1'];
      default:
        return ['i32'];
    }
  }

  /** All scalar parts of a value; a structure has several. */
  protected partsOf({ type, value }: TypedValue): readonly Operand[] {
    if (value.kind === 'local') return this.registersOf(value.name).map(reg);
    const types = this.parts(type);
    if (types.length === 1 && value.kind !== 'aggregate') return [this.operand(value, type)];
    if (value.kind === 'aggregate') return value.elements.flatMap((element) => this.partsOf(element));
    return types.map((t) => constant(t, t === 'i64' ? 0n : 0));
  }

  // ---- memory

  /** Whether accesses through this address are invisible to other threads. */
  isPrivate(address: LValue): boolean {
    if (address.kind === 'local') return this.privateAddresses.has(address.name);
    const evaluated = this.context.constants.evaluate({ kind: 'ptr' }, address);
    if (evaluated?.kind !== 'address') return false;
    const symbol = this.program.resolve(this.context.module, evaluated.symbol);
    return symbol?.kind === 'global' && symbol.global.isConstant;
  }

  /** Makes the value called `name` a private address too. */
  notePrivate(name: string): void {
    this.privateAddresses.add(name);
  }

  loadFrom(dest: Dest, address: Operand, isPrivate: boolean, order: Order = 'plain'): void {
    if (isPrivate) this.builder.add({ op: 'peek', dest, address });
    else if (this.linked.isLibrary && order === 'plain') this.loadUnlessConstant(dest, address);
    else this.builder.load(dest, address, order);
  }

  /** In our library, which is passed many constant strings: reading those is not an event. */
  private loadUnlessConstant(dest: Dest, address: Operand): void {
    const { builder } = this;
    const [isConstant, condition] = [this.temporary('i32'), this.temporary('i1')];
    const [constant, variable, after] = [builder.block(''), builder.block(''), builder.block('')];
    builder.add({ op: 'isconstant', dest: isConstant, address });
    builder.compare('ne', condition, isConstant, int(0));
    builder.branch(condition, constant, variable);
    builder.startBlock(constant);
    builder.add({ op: 'peek', dest, address });
    builder.jump(after);
    builder.startBlock(variable);
    builder.load(dest, address, 'plain');
    builder.jump(after);
    builder.startBlock(after);
  }

  storeTo(address: Operand, value: Operand, isPrivate: boolean, order: Order = 'plain'): void {
    if (isPrivate) this.builder.add({ op: 'poke', address, value });
    else this.builder.store(address, value, order);
  }

  offset(base: Operand, bytes: number): Operand {
    if (bytes === 0) return base;
    if (base.kind === 'global') return { ...base, offset: base.offset + bytes };
    const dest = this.temporary('i32');
    this.builder.binary('add', dest, base, int(bytes));
    return reg(dest);
  }

  /** An index as an i32: addresses are 32 bits wide. */
  toPointerWidth({ type, value }: TypedValue): Operand {
    const operand = this.operand(value, type);
    const scalar = this.scalar(type);
    if (scalar === 'i32') return operand;
    const dest = this.temporary('i32');
    this.builder.cast(scalar === 'i64' ? 'trunc' : 'sext', dest, operand);
    return reg(dest);
  }

  moveParts(i: LInstruction, values: readonly Operand[], types: readonly Type[]): void {
    this.define(i.result, types).forEach((dest, k) => {
      this.builder.move(dest, values[k]!);
    });
  }

  get zero(): Operand {
    return ZERO;
  }
}

export function asConstant(type: Type, value: bigint): number | bigint {
  const bits = bitsOf(type);
  const wrapped = bits === 1 ? value & 1n : BigInt.asIntN(bits, value);
  return type === 'i64' ? wrapped : Number(wrapped);
}

/**
 * One function while it is being lowered: its values and their registers, private addresses, the current place.
 * Instructions (`lower-function.ts`), calls, intrinsics, primitives and assembly are all lowered into it.
 */
import { constant, type FunctionBuilder, int, reg } from '../../../program/builder.ts';
import type { AddressOperand, Dest, Operand } from '../../../program/ir.ts';
import type { Location } from '../../../program/location.ts';
import type { BinaryOperator, Predicate } from '../../../program/operators.ts';
import { bitsOf, isAtomic, type Order, sizeOf, type Type } from '../../../program/types.ts';
import { FrontendError } from '../ir/frontend-error.ts';
import type { LFunction, LInstruction, LType, LValue, Place, TypedValue } from '../ir/module.ts';
import { AccessNames } from './access-names.ts';
import { constantWords } from './bytes.ts';
import type { Evaluated, SymbolReference } from './constant.ts';
import type { ScalarPart } from './data-layout.ts';
import type { LinkedFunction } from './link.ts';
import type { Lives } from './lives.ts';
import type { ModuleContext } from './module-context.ts';
import type { ProgramSymbols } from './program-symbols.ts';
import { StackScopes } from './stack-scopes.ts';
import type { Privacy, Storage } from './storage.ts';
import { isWide, wideConstant } from './wide-integers.ts';

const ZERO = int(0);
const POINTER: LType = { kind: 'ptr' };

function narrow(operand: AddressOperand): AddressOperand {
  const { isWide: _, ...rest } = operand;
  return rest;
}

type Phi = LInstruction & { op: 'phi' };

export class FunctionContext {
  readonly program: ProgramSymbols;
  readonly context: ModuleContext;
  readonly linked: LinkedFunction;
  readonly builder: FunctionBuilder;
  readonly storage: ReadonlyMap<string, Storage>;
  private readonly derived: ReadonlyMap<string, string>;
  private readonly fleeting: ReadonlySet<string>;
  readonly lives: Lives;
  readonly stackScopes: StackScopes;
  /** The place of the instruction being lowered. */
  place: Place;
  readonly names: AccessNames;
  protected readonly values: Map<string, readonly Dest[]> = new Map();
  /** By name; made when first needed. */
  private definitions: ReadonlyMap<string, LInstruction> | undefined;
  /** For 64-bit pointers that were made from an address: the register with that address. */
  private readonly addresses = new Map<string, Dest>();
  /** Addresses within a private object, and constants: accesses to these are local. */
  readonly privateAddresses: Set<string> = new Set();

  constructor(program: ProgramSymbols, context: ModuleContext, linked: LinkedFunction, builder: FunctionBuilder) {
    this.program = program;
    this.context = context;
    this.linked = linked;
    this.builder = builder;
    const { storage, derived, lives } = program.confined.of(linked);
    this.storage = storage;
    this.lives = lives;
    this.derived = derived;
    this.fleeting = linked.isLibrary ? new Set() : program.confined.fleetingIn(linked);
    this.place = linked.func.place ?? { file: context.module.sourceFile, line: 1, column: 1 };
    this.names = new AccessNames(linked.func, context);
    this.stackScopes = new StackScopes(linked.func);
  }

  fail(reason: string): never {
    throw new FrontendError(this.place, reason);
  }

  /** Subsequent instructions are at `place`; `access` is the source name of what they access. */
  locate(access: Pick<Location, 'variable' | 'pointee'> | undefined): void {
    this.builder.location = access === undefined ? this.place : { ...this.place, ...access };
  }

  /** Subsequent instructions access what is at `address`. */
  locateAccess(address: LValue): void {
    this.locate(this.names.of(address));
  }

  // ---- pointers

  /** The type of pointers: `i64` on 64-bit targets, where the machine's own addresses are still `i32`. */
  get pointer(): 'i32' | 'i64' {
    return this.context.layout.pointer;
  }

  /** The address that a pointer stands for, an `i32`. */
  address(value: LValue): Operand {
    if (this.pointer === 'i32') return this.operand(value, POINTER);
    if (value.kind === 'local') {
      const known = this.addresses.get(value.name);
      return known === undefined ? this.toAddress(reg(this.registersOf(value.name)[0]!)) : reg(known);
    }
    const operand = this.operand(value, POINTER);
    if (operand.kind === 'register') return this.toAddress(operand);
    if (operand.kind !== 'constant') return narrow(operand);
    const bits = BigInt.asIntN(64, BigInt(operand.value));
    // No object is at -2^31, nor near it.
    return int(bits === BigInt.asIntN(32, bits) ? Number(bits) : -(2 ** 31));
  }

  /** Pointers into an argument list, and pointers to the arguments in it. */
  readonly listPointers: Set<string> = new Set();

  /** Clang aligns the pointer to the next argument. x86-64 passes such arguments elsewhere while registers are left. */
  refuseAlignedArgument(value: LValue): void {
    const isArgument = value.kind === 'local' && this.listPointers.has(value.name);
    if (isArgument && this.context.module.triple.startsWith('x86_64')) {
      this.fail('an argument of ... with an alignment of 16 bytes is unsupported for x86_64; pass its address');
    }
  }

  /** The address of a function that is called. */
  callee(value: LValue): Operand {
    const known = value.kind === 'global' ? this.program.callee(this.context.module, value.name) : undefined;
    return known ?? this.address(value);
  }

  /**
   * An integer as an address or a size: an `i32`. A value that does not fit becomes an invalid address, larger than all
   * memory.
   */
  toAddress(value: Operand, type: Type = 'i64'): Operand {
    if (type === 'i32') return value;
    const dest = this.temporary('i32');
    if (type === 'i64') this.builder.cast(this.pointer === 'i64' ? 'address' : 'trunc', dest, value);
    else this.builder.cast('sext', dest, value);
    return reg(dest);
  }

  /** An address as a pointer. */
  toPointer(address: Operand): Operand {
    if (this.pointer === 'i32') return address;
    if (address.kind === 'global' || address.kind === 'function') return { ...address, isWide: true };
    const dest = this.temporary('i64');
    // No address is negative, so the sign never matters; the simplifier knows this cast.
    this.builder.cast('sext', dest, address);
    return reg(dest);
  }

  /** Defines the result `name` as the pointer to an address that `make` puts into a register. */
  definePointer(name: string | undefined, make: (address: Dest) => void): void {
    if (this.pointer === 'i32') return make(this.define(name, ['i32'])[0]!);
    const address = this.temporary('i32');
    make(address);
    this.builder.cast('sext', this.define(name, ['i64'])[0]!, address);
    if (name !== undefined) this.addresses.set(name, address);
  }

  /** Gives the pointer `name` another address. */
  redefinePointer(name: string, make: (address: Dest) => void): void {
    const [pointer] = this.registersOf(name);
    const address = this.addresses.get(name);
    if (address === undefined) return make(pointer!);
    make(address);
    this.builder.cast('sext', pointer!, address);
  }

  /** Notes that the pointer `name` stands for the address in this register. */
  noteAddress(name: string, address: Dest): void {
    this.addresses.set(name, address);
  }

  // ---- values

  scalar(type: LType): Type {
    const scalar = this.context.layout.scalar(type);
    if (scalar !== undefined) return scalar;
    const resolved = this.context.layout.resolve(type);
    const hint =
      resolved.kind === 'int' && resolved.bits > 64 && resolved.bits !== 128
        ? '; in a run of bit-fields, put "unsigned long long : 0;" between them, or try --clang npm'
        : '';
    return this.fail(`a value of type ${this.nameOf(type)} is unsupported here${hint}`);
  }

  private nameOf(type: LType): string {
    const resolved = this.context.layout.resolve(type);
    return resolved.kind === 'int' ? `${resolved.bits}-bit integer` : resolved.kind;
  }

  isVector(type: LType): boolean {
    return this.context.layout.resolve(type).kind === 'vector';
  }

  /** Whether a value of this type has several parts. */
  isComposite(type: LType): boolean {
    return this.context.layout.isComposite(type);
  }

  /** The register of the hidden address of variable arguments; it comes after all other parameters. */
  get hiddenParameter(): Dest {
    const { parameters, result } = this.linked.func;
    const parts = parameters.reduce((sum, { type }) => sum + this.parts(type).length, 0);
    return parts + (this.isComposite(result) ? 1 : 0);
  }

  /** Size in bytes of an argument slot on the stack. */
  get slot(): number {
    return sizeOf(this.pointer);
  }

  /** The scalar types that a value of this type consists of. */
  parts(type: LType): readonly Type[] {
    return this.placedParts(type).map((part) => part.type);
  }

  placedParts(type: LType): readonly ScalarPart[] {
    return this.context.layout.parts(type) ?? this.fail(`a value of type ${this.nameOf(type)} is unsupported here`);
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
    if (this.context.layout.resolve(type).kind === 'vector') return this.vectorConstant(value, type)[0]!;
    const evaluated = this.context.constants.evaluate(type, value);
    if (evaluated === undefined) return this.constantExpression(value);
    return this.constantOperand(evaluated, this.scalar(type));
  }

  /** The low bits of a pointer, or a pointer in a wider integer. */
  private partOfPointer(pointer: Operand, type: Type): Operand {
    const dest = this.temporary(type);
    this.builder.cast(bitsOf(type) < bitsOf(this.pointer) ? 'trunc' : 'zext', dest, pointer);
    return reg(dest);
  }

  /** A constant whose value depends on addresses, which are known only when the program runs: it is computed then. */
  private constantExpression(value: LValue): Operand {
    const { builder } = this;
    const of = (part: TypedValue): Operand => this.operand(part.value, part.type);
    if (value.kind === 'compare' && /^(?:eq|ne|[us][lg][te])$/.test(value.predicate)) {
      const dest = this.temporary('i1');
      builder.compare(value.predicate as Predicate, dest, of(value.left), of(value.right));
      return reg(dest);
    }
    if (value.kind === 'binary' && /^(?:add|sub|mul|and|or|xor|shl|lshr|ashr)$/.test(value.operator)) {
      const dest = this.temporary(this.scalar(value.left.type));
      builder.binary(value.operator as BinaryOperator, dest, of(value.left), of(value.right));
      return reg(dest);
    }
    if (value.kind === 'cast' && /^(?:ptrtoint|inttoptr|trunc|zext|sext)$/.test(value.operator)) {
      const [from, to] = [this.scalar(value.operand.type), this.scalar(value.to)];
      const operand = of(value.operand);
      if (from === to) return operand;
      const dest = this.temporary(to);
      const widening = value.operator === 'sext' ? 'sext' : 'zext';
      builder.cast(bitsOf(from) < bitsOf(to) ? widening : 'trunc', dest, operand);
      return reg(dest);
    }
    return this.fail(
      `this kind of constant (${value.kind === 'unsupported' ? value.text : value.kind}) is unsupported here`,
    );
  }

  /** The words of a vector (`vectors.ts`). */
  private vectorConstant(value: LValue, type: LType): readonly Operand[] {
    const words = this.parts(type);
    // A pointer may be known only when the program runs.
    const isOfPointers = value.kind === 'aggregate' && value.elements.length === words.length;
    if (isOfPointers && value.elements.every((element) => this.context.layout.resolve(element.type).kind === 'ptr'))
      return value.elements.map((element) => this.operand(element.value, element.type));
    if (words[0] === 'i1') {
      const lanes = value.kind === 'aggregate' ? value.elements : [];
      return words.map((_, k) => (lanes[k] === undefined ? int(0, 'i1') : this.operand(lanes[k].value, lanes[k].type)));
    }
    const bytes = new Uint8Array(words.length * 8);
    const references: SymbolReference[] = [];
    this.context.constants.initialise(type, value, bytes, 0, references, this.place);
    if (references.length > 0) this.fail('this kind of vector is unsupported');
    return constantWords(words, bytes);
  }

  constantOperand(evaluated: Evaluated, type: Type): Operand {
    switch (evaluated.kind) {
      case 'integer':
        return constant(type, asConstant(type, evaluated.value));
      case 'float':
        return constant(type, evaluated.value);
      case 'address': {
        if (type !== this.pointer) return this.partOfPointer(this.constantOperand(evaluated, this.pointer), type);
        if (this.program.isNull(this.context.module, evaluated.symbol)) return this.nullPlus(evaluated.offset, type);
        const { operand, symbol } = this.program.address(this.context.module, evaluated.symbol, this.place);
        const size = symbol?.kind === 'global' ? this.context.layout.sizeOf(symbol.global.type) : 0;
        const { offset } = evaluated;
        if (symbol?.kind === 'global' && symbol.global.isThreadLocal) return this.ownAddress(operand, offset);
        if (operand.kind === 'global' && offset >= 0 && offset <= size) return this.toPointer({ ...operand, offset });
        const start = this.toPointer(operand);
        if (operand.kind === 'function') return start;
        // Outside the object: still a pointer; using it is an error.
        const dest = this.temporary(this.pointer);
        this.builder.binary('add', dest, start, this.pointerConstant(offset));
        return reg(dest);
      }
    }
  }

  /** The address of the thread's own copy of a thread-local variable, as used in C++ initialisers. */
  private ownAddress(operand: AddressOperand, offset: number): Operand {
    const dest = this.temporary('i32');
    this.builder.add({ op: 'threadlocal', dest, global: operand.index });
    return this.toPointer(offset === 0 ? reg(dest) : this.offset(reg(dest), offset));
  }

  private nullPlus(offset: number, type: Type): Operand {
    return constant(type, asConstant(type, BigInt(offset)));
  }

  private registersOf(name: string): readonly Dest[] {
    const dests = this.values.get(name);
    if (dests !== undefined) return dests;
    // Defined later in the text, but in a block that runs earlier: declare it now.
    this.definitions ??= definitionsIn(this.linked.func);
    const definition = this.definitions.get(name);
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
        return this.parts(i.to);
      case 'icmp':
      case 'fcmp': {
        const compared = this.context.layout.resolve(i.type);
        return compared.kind === 'vector' ? new Array<Type>(compared.count).fill('i1') : ['i1'];
      }
      case 'select':
        return this.parts(i.ifTrue.type);
      case 'extractelement': {
        const vector = this.context.layout.resolve(i.vector.type);
        return vector.kind === 'vector' ? this.parts(vector.element) : this.fail('a vector was expected here');
      }
      case 'insertelement':
        return this.parts(i.vector.type);
      case 'shufflevector':
        return this.parts(this.context.layout.shuffled(i.left.type, i.mask.type));
      case 'atomicrmw':
        return this.parts(i.value.type);
      case 'cmpxchg':
        return [...this.parts(i.expected.type), 'i1'];
      default:
        return [this.pointer];
    }
  }

  /** All scalar parts of a value; a structure has several. */
  partsOf({ type, value }: TypedValue): readonly Operand[] {
    if (value.kind === 'local') return this.registersOf(value.name).map(reg);
    if (this.context.layout.resolve(type).kind === 'vector') return this.vectorConstant(value, type);
    const types = this.parts(type);
    if (isWide(this.context.layout.resolve(type))) {
      const evaluated = this.context.constants.evaluate(type, value);
      if (evaluated?.kind === 'integer') return wideConstant(evaluated.value);
      return this.fail('this kind of 128-bit constant is unsupported');
    }
    if (types.length === 1 && value.kind !== 'aggregate') return [this.operand(value, type)];
    if (value.kind === 'aggregate') return value.elements.flatMap((element) => this.partsOf(element));
    return types.map((t) => constant(t, t === 'i64' ? 0n : 0));
  }

  // ---- memory

  /** Whether accesses through this address are invisible to other threads. */
  isPrivate(address: LValue): Privacy {
    if (address.kind === 'local') {
      const root = this.derived.get(address.name);
      if (root !== undefined && this.fleeting.has(root)) return 'fleeting';
      return this.privateAddresses.has(address.name) || (root !== undefined && this.isPrivateObject(root));
    }
    const evaluated = this.context.constants.evaluate({ kind: 'ptr' }, address);
    if (evaluated?.kind !== 'address') return false;
    const symbol = this.program.resolve(this.context.module, evaluated.symbol);
    return symbol?.kind === 'global' && symbol.global.isConstant;
  }

  /**
   * Whether a local variable, or what a parameter points to, is private. Blocks may use addresses that later blocks of
   * the text compute, so this must not depend on what has been lowered so far.
   */
  private isPrivateObject(name: string): boolean {
    const isParameter = this.linked.func.parameters.some((parameter) => parameter.name === name);
    return isParameter ? this.linked.privateParameters?.has(name) === true : this.storage.get(name) === 'private';
  }

  /** Makes the value called `name` a private address too. */
  notePrivate(name: string): void {
    this.privateAddresses.add(name);
  }

  loadFrom(dest: Dest, address: Operand, isPrivate: Privacy, order: Order = 'plain'): void {
    if (isPrivate !== false) this.builder.add({ op: 'peek', dest, address });
    else if (this.linked.isLibrary && order === 'plain') this.loadUnlessConstant(dest, address);
    else
      this.builder.add({ op: 'load', dest, address, order, ...(this.isOfLibrary(order) ? { isDefined: true } : {}) });
  }

  /** Our library accesses its own objects with atomic loads. */
  private isOfLibrary(order: Order): boolean {
    return this.linked.isLibrary && isAtomic(order);
  }

  /** Our library is passed many constant strings: reading those is not an event. */
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

  storeTo(address: Operand, value: Operand, isPrivate: Privacy, order: Order = 'plain'): void {
    const idle = isPrivate === 'fleeting' ? ({ isIdle: true } as const) : {};
    if (isPrivate !== false) this.builder.add({ op: 'poke', address, value, ...idle });
    else this.builder.store(address, value, order);
  }

  /** The address `bytes` bytes after another. */
  offset(base: Operand, bytes: number): Operand {
    if (bytes === 0) return base;
    if (base.kind === 'global') return { ...base, offset: base.offset + bytes };
    const dest = this.temporary('i32');
    this.builder.binary('add', dest, base, int(bytes));
    return reg(dest);
  }

  /** An integer as a number of bytes, an `i32`. */
  size({ type, value }: TypedValue): Operand {
    return this.toAddress(this.operand(value, type), this.scalar(type));
  }

  /** An integer, converted to the width of a pointer. */
  index({ type, value }: TypedValue): Operand {
    const operand = this.operand(value, type);
    const scalar = this.scalar(type);
    if (scalar === this.pointer) return operand;
    const dest = this.temporary(this.pointer);
    this.builder.cast(scalar === 'i64' ? 'trunc' : 'sext', dest, operand);
    return reg(dest);
  }

  /** A constant in the width of a pointer. */
  pointerConstant(value: number): Operand {
    return this.pointer === 'i64' ? constant('i64', BigInt(value)) : int(value | 0);
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

function definitionsIn({ blocks }: LFunction): ReadonlyMap<string, LInstruction> {
  const found = new Map<string, LInstruction>();
  for (const { body } of blocks) for (const i of body) if (i.result !== undefined) found.set(i.result, i);
  return found;
}

export function asConstant(type: Type, value: bigint): number | bigint {
  const bits = bitsOf(type);
  const wrapped = bits === 1 ? value & 1n : BigInt.asIntN(bits, value);
  return type === 'i64' ? wrapped : Number(wrapped);
}

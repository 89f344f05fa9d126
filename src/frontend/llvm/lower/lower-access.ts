/** Allocas, loads, stores, addresses and atomic operations of a function. */
import { constant, int, reg } from '../../../program/builder.ts';
import type { Dest, LocalVariable, Operand } from '../../../program/ir.ts';
import { junkOf } from '../../../program/junk.ts';
import type { RmwOperator } from '../../../program/operators.ts';
import type { Order, Type } from '../../../program/types.ts';
import type { DType, LInstruction, LOrder, LType, LValue, TypedValue } from '../ir/module.ts';
import { pointeeOf } from './access-names.ts';
import { BlockLives } from './block-lives.ts';
import type { FreshMemory } from './fresh-memory.ts';
import type { FunctionContext } from './function-context.ts';
import type { ComputationLowering } from './lower-computation.ts';
import { cutPiece, joinPieces, oddWidth, pieces } from './odd-integers.ts';
import { partsOf } from './parts.ts';
import { FAILS_TO_EXCHANGE } from './program-symbols.ts';
import { isArgumentList, isLibraryPrivate } from './storage.ts';
import type { VectorLowering } from './vectors.ts';
import { compareExchange16, modify16, type Places, store16 } from './wide-atomics.ts';
import { isWide } from './wide-integers.ts';

/**
 * All memory is below 2^30, and a pointer that does not fit 32 bits has the address -2^31. Within this distance, a sum
 * is a valid address in 32 bits if and only if it is one in 64 bits.
 */
const MAX_OFFSET = 2 ** 30;

/** Real stacks are far smaller. */
const MAX_LOCAL_BYTES = 64 << 20;

function scalarKind(type: DType | undefined): LocalVariable['kind'] | undefined {
  if (type?.kind === 'pointer') return 'pointer';
  if (type?.kind === 'enum') return 'signed';
  if (type?.kind !== 'base') return undefined;
  if (/float/.test(type.encoding)) return 'float';
  return /unsigned|boolean|UTF/.test(type.encoding) ? 'unsigned' : 'signed';
}

export class AccessLowering {
  private readonly into: FunctionContext;
  private readonly computing: ComputationLowering;
  private readonly vectors: VectorLowering;
  /** Allocas that became registers, by name. */
  private readonly variables = new Map<string, Dest>();
  /** Shared local variables that end at the return, by an event; in order of declaration. */
  readonly shared: Dest[] = [];
  readonly blockLives: BlockLives;
  /** Private local variables of fixed size. */
  private readonly onStack = new Set<string>();

  constructor(into: FunctionContext, computing: ComputationLowering, vectors: VectorLowering) {
    this.into = into;
    this.vectors = vectors;
    this.computing = computing;
    this.blockLives = new BlockLives(into);
  }

  lowerAlloca(i: LInstruction & { op: 'alloca' }): void {
    const { layout } = this.into.context;
    const name = i.result!;
    const storage = this.into.storage.get(name)!;
    const fresh = this.into.linked.isLibrary ? {} : this.into.program.freshMemory;
    if (storage === 'register') {
      const type = this.into.scalar(i.type);
      const register = this.into.builder.register(this.into.linked.func.variables.get(name)?.name ?? name, type);
      this.describe(register, name);
      if (fresh.isJunk === true) this.into.builder.move(register, constant(type, junkOf(type)));
      if (fresh.isUndefined === true) this.undefine(name, register);
      this.variables.set(name, register);
      return;
    }
    const variable = this.into.linked.func.variables.get(name);
    // Clang puts all allocas at the start of the function; users look at the declaration.
    if (variable !== undefined)
      this.into.builder.location = { ...(variable.place ?? this.into.place), variable: variable.name };
    const size = layout.sizeOf(i.type);
    const align = Math.max(i.align, 1);
    if (size > MAX_LOCAL_BYTES) {
      this.into.fail(
        `the variable ${variable?.name ?? name} has ${size} bytes; at most ${MAX_LOCAL_BYTES} are possible`,
      );
    }
    const life = storage === 'shared' ? this.into.lives.of.get(name) : undefined;
    if (life === undefined) this.into.definePointer(name, (dest) => this.allocate(i, name, dest, size, align, fresh));
    else {
      const { location } = this.into.builder;
      this.into.definePointer(name, (dest) => {
        this.describe(dest, name, size);
        this.into.builder.move(dest, int(0));
      });
      this.blockLives.add(name, life, {
        ...(location === undefined ? {} : { location }),
        make: (dest) => this.makeShared(name, dest, size, align, fresh),
      });
    }
  }

  /** Gives the user's own variables names in reports; only scalars, for now. */
  private describe(register: Dest, name: string, bytes?: number): void {
    const variable = this.into.linked.func.variables.get(name);
    const kind = scalarKind(variable?.type);
    if (variable === undefined || variable.isInlined === true || this.into.linked.isLibrary || kind === undefined)
      return;
    const { place } = variable;
    const pointee = pointeeOf(variable.type);
    this.into.builder.describe(register, {
      name: variable.name,
      kind,
      ...(bytes === undefined ? {} : { bytes }),
      ...(pointee === undefined ? {} : { pointee }),
      ...(place === undefined ? {} : { file: place.file, line: place.line }),
    });
  }

  /**
   * The declaration of a variable is reached in this block: it has no value, whatever was written in an earlier round.
   */
  declare(name: string, block: string): void {
    const { linked, program, lives } = this.into;
    if (linked.isLibrary || program.declarations === 'once') return;
    const register = this.variables.get(name);
    if (register !== undefined) {
      if (program.freshMemory.isUndefined === true) this.undefine(name, register);
    } else if (this.into.storage.get(name) === 'shared') this.blockLives.declare(name);
    else if (this.onStack.has(name) && lives.repeated.has(block)) this.refresh({ kind: 'local', name });
  }

  private refresh(variable: LValue): void {
    // A fleeting variable is not live at the head of any loop: no round reads what an earlier one left in it.
    if (this.into.program.freshMemory.isUndefined !== true || this.into.isPrivate(variable) === 'fleeting') return;
    this.into.builder.add({ op: 'refresh', address: this.into.address(variable) });
  }

  /** Marks a variable in a register as having no value, at its declaration, where users look. */
  private undefine(name: string, register: Dest): void {
    const variable = this.into.linked.func.variables.get(name);
    // Slots that clang has no name for, such as the function's return value, are written before they are read.
    if (variable === undefined) return;
    const { builder } = this.into;
    const { location } = builder;
    builder.location = { ...(variable.place ?? this.into.place), variable: variable.name };
    builder.add({ op: 'undefine', dest: register });
    builder.location = location;
  }

  private allocate(
    i: LInstruction & { op: 'alloca' },
    name: string,
    dest: Dest,
    size: number,
    align: number,
    fresh: FreshMemory,
  ): void {
    const storage = this.into.storage.get(name)!;
    if (i.count !== undefined) {
      // A variable-length array, which ends with its block, or memory from `alloca`, which ends with the function. If
      // the latter is in a loop, only the last one is known to end.
      const bytes = this.into.temporary(this.into.pointer);
      this.into.builder.binary('mul', bytes, this.into.index(i.count), this.into.pointerConstant(size));
      const total = this.into.toAddress(reg(bytes), this.into.pointer);
      this.into.builder.add({ op: 'allocate', what: 'stack', dest, size: total, ...alignment(align), ...fresh });
      if (storage === 'private') this.into.privateAddresses.add(name);
      if (!this.into.stackScopes.add(dest)) this.shared.push(dest);
      return;
    }
    this.describe(dest, name, size);
    if (storage === 'private') {
      this.into.privateAddresses.add(name);
      this.onStack.add(name);
      const isFirst = this.into.linked.func.blocks[0]!.body.includes(i);
      const idle = isFirst && this.into.isPrivate({ kind: 'local', name }) === 'fleeting' ? { isIdle: true } : {};
      this.into.builder.add({ op: 'alloca', dest, size: Math.max(size, 1), align, ...fresh, ...idle });
    } else {
      this.makeShared(name, dest, size, align, fresh);
      this.shared.push(dest);
    }
  }

  private makeShared(name: string, dest: Dest, size: number, align: number, fresh: FreshMemory): void {
    const { type } = this.into.linked.func.variables.get(name) ?? {};
    const rest = { ...alignment(align), ...partsOf(type), ...fresh };
    this.into.builder.add({ op: 'allocate', what: 'stack', dest, size: int(size), ...rest });
  }

  /** A structure that is passed or returned in registers, or a 128-bit integer: loaded part by part. */
  private loadParts(i: LInstruction & { op: 'load' }): void {
    if (i.order !== undefined) {
      // Some compilers make it a locked instruction, which is a fence; others do not.
      this.into.fail('an atomic load of this size is unsupported; use a compare-exchange that changes nothing');
    }
    this.into.locate(this.into.names.of(i.address));
    if (this.into.isVector(i.type)) return this.vectors.lowerLoad(i);
    const parts = this.into.placedParts(i.type);
    const address = this.into.address(i.address);
    const dests = this.into.define(
      i.result,
      parts.map((part) => part.type),
    );
    for (const [k, { offset }] of parts.entries()) {
      this.into.loadFrom(dests[k]!, this.into.offset(address, offset), this.into.isPrivate(i.address), orderOf(i));
    }
  }

  private storeParts(i: LInstruction & { op: 'store' }): void {
    const values = this.into.partsOf(i.value);
    if (i.order !== undefined) {
      if (!isWide(i.value.type)) this.into.fail('an atomic store of this size is unsupported');
      return store16(this.into.builder, this.widePlaces(i.address, [i.order]), [values[0]!, values[1]!]);
    }
    this.into.locate(this.into.names.of(i.address));
    if (this.into.isVector(i.value.type)) return this.vectors.lowerStore(i);
    const address = this.into.address(i.address);
    for (const [k, { offset }] of this.into.placedParts(i.value.type).entries()) {
      this.into.storeTo(this.into.offset(address, offset), values[k]!, this.into.isPrivate(i.address), orderOf(i));
    }
  }

  /** Lanes are accessed like the bytes of a copy, not at once. */
  private refuseAtomicVector({ order }: { readonly order?: LOrder }, type: LType): void {
    if (order !== undefined && this.into.isVector(type)) this.into.fail('an atomic access to a vector is unsupported');
  }

  lowerLoad(i: LInstruction & { op: 'load' }): void {
    this.refuseAtomicVector(i, i.type);
    const { kind } = this.into.context.layout.resolve(i.type);
    if (kind === 'ptr' && i.address.kind === 'local' && this.into.listPointers.has(i.address.name)) {
      this.into.listPointers.add(i.result!);
    }
    if (this.into.isComposite(i.type)) return this.loadParts(i);
    const type = this.into.scalar(i.type);
    const variable = i.address.kind === 'local' ? this.variables.get(i.address.name) : undefined;
    const dest = this.into.result(i, type);
    if (variable !== undefined) return this.into.builder.move(dest, variable);
    this.into.locate(this.into.names.of(i.address));
    const width = oddWidth(i.type) ?? this.tornWidth(i, i.type);
    if (width !== undefined) return this.loadOdd(i, dest, type, width);
    if (type !== 'i1')
      return this.into.loadFrom(dest, this.into.address(i.address), this.into.isPrivate(i.address), orderOf(i));
    const byte = this.into.temporary('i8');
    this.into.loadFrom(byte, this.into.address(i.address), this.into.isPrivate(i.address), orderOf(i));
    this.into.builder.cast('trunc', dest, byte);
  }

  lowerStore(i: LInstruction & { op: 'store' }): void {
    this.refuseAtomicVector(i, i.value.type);
    if (this.into.isComposite(i.value.type)) return this.storeParts(i);
    const variable = i.address.kind === 'local' ? this.variables.get(i.address.name) : undefined;
    let value = this.into.operand(i.value.value, i.value.type);
    if (variable !== undefined) return this.into.builder.move(variable, value);
    this.into.locate(this.into.names.of(i.address));
    const width = oddWidth(i.value.type) ?? this.tornWidth(i, i.value.type);
    if (width !== undefined) return this.storeOdd(i, value, width);
    if (this.into.scalar(i.value.type) === 'i1') {
      const byte = this.into.temporary('i8');
      this.into.builder.cast('zext', byte, value);
      value = reg(byte);
    }
    this.into.storeTo(this.into.address(i.address), value, this.into.isPrivate(i.address), orderOf(i));
  }

  /**
   * A 32-bit machine accesses a `long long` that is not atomic in two halves, and other threads may run in between. It
   * accesses a `double` at once, unless that may cross the boundary of a cache line.
   */
  private tornWidth(i: LInstruction & { op: 'load' | 'store' }, type: LType): number | undefined {
    const isTorn = type.kind === 'int' ? type.bits === 64 : type.kind === 'double' && i.align > 0 && i.align < 8;
    if (!isTorn || this.into.pointer === 'i64' || i.order !== undefined || this.into.linked.isLibrary) return undefined;
    return this.into.isPrivate(i.address) === false ? 64 : undefined;
  }

  private loadOdd(i: LInstruction & { op: 'load' }, dest: Dest, type: Type, width: number): void {
    const address = this.into.address(i.address);
    const parts = pieces(width).map((piece) => {
      const part = this.into.temporary(piece.type);
      this.into.loadFrom(part, this.into.offset(address, piece.offset), this.into.isPrivate(i.address), orderOf(i));
      return { piece, part };
    });
    if (type !== 'f64') return joinPieces(this.into.builder, dest, type, parts, width);
    const bits = this.into.temporary('i64');
    joinPieces(this.into.builder, bits, 'i64', parts, width);
    this.into.builder.cast('bitcast', dest, reg(bits));
  }

  private storeOdd(i: LInstruction & { op: 'store' }, value: Operand, width: number): void {
    const address = this.into.address(i.address);
    let type = this.into.scalar(i.value.type);
    let bits = value;
    if (type === 'f64') {
      const whole = this.into.temporary('i64');
      this.into.builder.cast('bitcast', whole, value);
      [type, bits] = ['i64', reg(whole)];
    }
    for (const piece of pieces(width)) {
      const part = cutPiece(this.into.builder, type, bits, piece);
      this.into.storeTo(this.into.offset(address, piece.offset), reg(part), this.into.isPrivate(i.address), orderOf(i));
    }
  }

  lowerGep(i: LInstruction & { op: 'gep' }): void {
    const { constants } = this.into.context;
    if (i.base.value.kind === 'local' && this.into.privateAddresses.has(i.base.value.name))
      this.into.privateAddresses.add(i.result!);
    const isOfList = i.base.value.kind === 'local' && this.into.listPointers.has(i.base.value.name);
    if (isArgumentList(i.source) || isOfList) this.into.listPointers.add(i.result!);
    if (isArgumentList(i.source) || (this.into.linked.isLibrary && isLibraryPrivate(i.source))) {
      this.into.privateAddresses.add(i.result!);
    }
    let type = i.source;
    let fixed = 0;
    let pointer = this.into.operand(i.base.value, i.base.type);
    const isWidePointer = this.into.pointer === 'i64';
    // Most pointers are only used as addresses, which need not be computed in 64 bits. Unused computations are removed
    // later.
    let address = isWidePointer ? this.into.address(i.base.value) : undefined;
    for (const [position, index] of i.indices.entries()) {
      const evaluated = constants.evaluate(index.type, index.value);
      const step = constants.step(type, position, evaluated?.kind === 'integer' ? Number(evaluated.value) : 1);
      type = step.type;
      if (evaluated?.kind === 'integer') {
        fixed += step.offset;
        continue;
      }
      const scaled = this.into.temporary(this.into.pointer);
      this.into.builder.binary('mul', scaled, this.into.index(index), this.into.pointerConstant(step.offset));
      const sum = this.into.temporary(this.into.pointer);
      this.into.builder.binary('add', sum, pointer, scaled);
      pointer = reg(sum);
      const isNear = Math.abs(step.offset) < MAX_OFFSET;
      if (address !== undefined)
        address = isNear ? this.displace(address, this.narrowIndex(index), step.offset) : undefined;
    }
    const dest = this.into.result(i, this.into.pointer);
    if (pointer.kind === 'global' && fixed === 0) this.into.builder.move(dest, pointer);
    else this.into.builder.binary('add', dest, pointer, this.into.pointerConstant(fixed));
    if (address === undefined || Math.abs(fixed) >= MAX_OFFSET) return;
    const moved = this.into.temporary('i32');
    this.into.builder.binary('add', moved, address, int(fixed));
    this.into.noteAddress(i.result!, moved);
  }

  /** An index as an `i32`; if it does not fit, an invalid address. */
  private narrowIndex(index: TypedValue): Operand {
    const known = index.value.kind === 'local' ? this.computing.extended.get(index.value.name) : undefined;
    return known ?? this.into.size(index);
  }

  private displace(address: Operand, index: Operand, bytes: number): Operand {
    const [scaled, sum] = [this.into.temporary('i32'), this.into.temporary('i32')];
    this.into.builder.binary('scale', scaled, index, int(bytes));
    this.into.builder.binary('displace', sum, address, scaled);
    return reg(sum);
  }

  private lowerWideCompareExchange(i: LInstruction & { op: 'cmpxchg' }): void {
    const [expected, desired] = [i.expected, i.desired].map(({ value, type }) => this.computing.halves(value, type));
    const places = this.widePlaces(i.address, [i.order, i.failureOrder]);
    const { old, success } = compareExchange16(this.into.builder, places, expected!, desired!);
    this.into.moveParts(i, [...old, success], ['i64', 'i64', 'i1']);
  }

  /** The addresses of the halves of a 16-byte atomic object; orders weaker than seq_cst are refused. */
  private widePlaces(address: LValue, orders: readonly LOrder[]): Places {
    if (orders.some((order) => order !== 'seq_cst')) {
      this.into.fail('an atomic operation of 16 bytes must be seq_cst here; weaker ones are unsupported');
    }
    this.into.locate(this.into.names.of(address));
    const start = this.into.address(address);
    return [start, this.into.offset(start, 8)];
  }

  lowerCompareExchange(i: LInstruction & { op: 'cmpxchg' }): void {
    if (isWide(i.expected.type)) return this.lowerWideCompareExchange(i);
    const type = this.into.scalar(i.expected.type);
    const [dest, success] = this.into.define(i.result, [type, 'i1']);
    this.into.locate(this.into.names.of(i.address));
    const address = this.into.address(i.address);
    const expected = this.into.operand(i.expected.value, i.expected.type);
    const desired = this.into.operand(i.desired.value, i.desired.type);
    const failureOrder = atomicOrder(i.failureOrder);
    const exchange = (): void =>
      this.into.builder.cmpxchg(dest!, success!, address, expected, desired, atomicOrder(i.order), failureOrder);
    const mayFail = i.weak && this.into.program.isSpurious && !this.into.linked.isLibrary;
    if (!mayFail) return exchange();
    this.unlessSpurious(this.into.names.of(i.address), exchange, () => {
      this.into.builder.load(dest!, address, failureOrder);
      this.into.builder.move(success!, constant('i1', 0));
    });
  }

  /** Calls `fail` if our library decides that the operation fails spuriously, otherwise `succeed`. */
  private unlessSpurious(
    access: Parameters<FunctionContext['locate']>[0],
    succeed: () => void,
    fail: () => void,
  ): void {
    const { builder } = this.into;
    const [fails, isFailure] = [this.into.temporary('i32'), this.into.temporary('i1')];
    const [failing, other, after] = [builder.block(''), builder.block(''), builder.block('')];
    this.into.locate(undefined);
    builder.call(fails, this.into.address({ kind: 'global', name: FAILS_TO_EXCHANGE }), []);
    builder.compare('ne', isFailure, fails, int(0));
    builder.branch(isFailure, failing, other);
    builder.startBlock(failing);
    this.into.locate(access);
    fail();
    builder.jump(after);
    builder.startBlock(other);
    this.into.locate(access);
    succeed();
    builder.jump(after);
    builder.startBlock(after);
  }

  lowerReadModifyWrite(i: LInstruction & { op: 'atomicrmw' }): void {
    if (!/^(xchg|add|sub|and|nand|or|xor|max|min|umax|umin)$/.test(i.operator)) {
      this.into.fail(`unsupported atomic operation: ${i.operator}`);
    }
    if (isWide(i.value.type)) return this.lowerWideModification(i);
    const type = this.into.scalar(i.value.type);
    const address = this.into.address(i.address);
    const value = this.into.operand(i.value.value, i.value.type);
    this.into.locate(this.into.names.of(i.address));
    const order = atomicOrder(i.order);
    const dest = this.into.result(i, type);
    if (type !== 'f32' && type !== 'f64')
      return this.into.builder.rmw(i.operator as RmwOperator, dest, address, value, order);
    const bits: Type = type === 'f32' ? 'i32' : 'i64';
    const [raw, old] = [this.into.temporary(bits), this.into.temporary(bits)];
    this.into.builder.cast('bitcast', raw, value);
    this.into.builder.rmw('xchg', old, address, raw, order);
    this.into.builder.cast('bitcast', dest, old);
  }

  private lowerWideModification(i: LInstruction & { op: 'atomicrmw' }): void {
    const value = this.computing.halves(i.value.value, i.value.type);
    const old = modify16(this.into.builder, this.widePlaces(i.address, [i.order]), (before) => {
      if (i.operator === 'xchg') return value;
      return (
        this.computing.wide.binary(i.operator, before, value) ??
        this.into.fail(`unsupported atomic operation: ${i.operator} of 16 bytes`)
      );
    });
    this.into.moveParts(i, old, ['i64', 'i64']);
  }
}

function atomicOrder(order: LOrder): Order {
  return order === 'unordered' || order === 'monotonic' ? 'relaxed' : order;
}

/** The alignment of an object made by `allocate`, if larger than the default. */
function alignment(align: number): { readonly align?: Operand } {
  return align > 16 ? { align: int(align) } : {};
}

function orderOf(i: { readonly volatile: boolean; readonly order?: LOrder }): Order {
  if (i.order !== undefined) return atomicOrder(i.order);
  return i.volatile ? 'volatile' : 'plain';
}

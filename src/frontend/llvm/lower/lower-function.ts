/**
 * One function: every SSA value becomes a register (a structure value several), every alloca a register, a private
 * stack object or a shared one (`storage.ts`), every instruction its counterpart in the program form.
 */
import { constant, int, reg } from '../../../program/builder.ts';
import type {
  BinaryOperator,
  CastOperator,
  Dest,
  Operand,
  Predicate,
  RmwOperator,
  Target,
} from '../../../program/ir.ts';
import { junkOf } from '../../../program/junk.ts';
import { bitsOf, type Order, type Type } from '../../../program/types.ts';
import type { LInstruction, LOrder, LType, LValue, TypedValue } from '../ir/module.ts';
import { asConstant, FunctionContext } from './function-context.ts';
import { CallLowering } from './lower-call.ts';
import { cutPiece, joinPieces, oddWidth, pieces, signExtend, zeroExtend } from './odd-integers.ts';
import { partsOf } from './parts.ts';
import { FAILS_TO_EXCHANGE } from './program-symbols.ts';
import { isArgumentList, isLibraryPrivate } from './storage.ts';
import { returnsFromError } from './sv-comp.ts';
import { compareExchange16, modify16, type Places, store16 } from './wide-atomics.ts';
import { type Halves, isWide, WideIntegers } from './wide-integers.ts';

type Phi = LInstruction & { op: 'phi' };

/**
 * All memory is below 2^30, and a pointer that does not fit 32 bits has the address -2^31: within this distance, a sum in 32
 * bits is an address if and only if it is in 64 bits.
 */
const MAX_OFFSET = 2 ** 30;

/** Stacks are far smaller. */
const MAX_LOCAL_BYTES = 64 << 20;

export class FunctionLowering extends FunctionContext {
  /** Allocas that become registers. */
  private readonly variables = new Map<string, Dest>();
  private readonly blocks = new Map<string, Target>();
  private readonly calls = new CallLowering(this);
  private readonly wide = new WideIntegers(this.builder);
  /** 64-bit integers that are sign-extended: from what. */
  private readonly extended = new Map<string, Operand>();
  /** Shared local variables, whose end of life is an event; in order of declaration. */
  private readonly shared: Dest[] = [];

  run(): void {
    const { func } = this.linked;
    let next = this.isComposite(func.result) ? 1 : 0;
    for (const { name, type } of func.parameters) {
      this.values.set(
        name,
        this.parts(type).map(() => next++),
      );
    }
    for (const [i, block] of func.blocks.entries()) {
      this.blocks.set(block.name, i === 0 ? 0 : this.builder.block(block.name));
      for (const instruction of block.body) if (instruction.op === 'phi') this.declare(instruction);
    }
    this.calls.prepare();
    for (const block of func.blocks) {
      this.builder.startBlock(this.blocks.get(block.name)!);
      for (const instruction of block.body) {
        this.place = instruction.place ?? this.place;
        this.locate(undefined);
        this.lower(instruction, block.name);
      }
    }
  }

  private lowerAlloca(i: LInstruction & { op: 'alloca' }): void {
    const { layout } = this.context;
    const name = i.result!;
    const storage = this.storage.get(name)!;
    const fresh = this.linked.isLibrary ? {} : this.program.freshMemory;
    if (storage === 'register') {
      const type = this.scalar(i.type);
      const register = this.builder.register(this.linked.func.variables.get(name)?.name ?? name, type);
      if (fresh.isJunk === true) this.builder.move(register, constant(type, junkOf(type)));
      this.variables.set(name, register);
      return;
    }
    const variable = this.linked.func.variables.get(name);
    // Clang puts all of them at the start of the function; people look where they are declared.
    if (variable !== undefined) this.builder.location = { ...(variable.place ?? this.place), variable: variable.name };
    const size = layout.sizeOf(i.type);
    const align = Math.max(i.align, 1);
    if (size > MAX_LOCAL_BYTES) {
      this.fail(`the variable ${variable?.name ?? name} has ${size} bytes; at most ${MAX_LOCAL_BYTES} are possible`);
    }
    this.definePointer(name, (dest) => this.allocate(i, name, dest, size, align, fresh));
  }

  private allocate(
    i: LInstruction & { op: 'alloca' },
    name: string,
    dest: Dest,
    size: number,
    align: number,
    fresh: { readonly isJunk?: true },
  ): void {
    const storage = this.storage.get(name)!;
    const variable = this.linked.func.variables.get(name);
    if (i.count !== undefined) {
      // A variable-length array, which ends with its block, or a block from `alloca`, which ends with the function; if
      // the latter is in a loop, only the last one is known to end.
      const bytes = this.temporary(this.pointer);
      this.builder.binary('mul', bytes, this.index(i.count), this.pointerConstant(size));
      const total = this.toAddress(reg(bytes), this.pointer);
      this.builder.add({ op: 'allocate', what: 'stack', dest, size: total, ...alignment(align), ...fresh });
      if (storage === 'private') this.privateAddresses.add(name);
      if (!this.stackScopes.add(dest)) this.shared.push(dest);
      return;
    }
    if (storage === 'private') {
      this.privateAddresses.add(name);
      this.builder.add({ op: 'alloca', dest, size: Math.max(size, 1), align, ...fresh });
    } else {
      const rest = { ...alignment(align), ...partsOf(variable?.type), ...fresh };
      this.builder.add({ op: 'allocate', what: 'stack', dest, size: int(size), ...rest });
      this.shared.push(dest);
    }
  }

  /** A structure that is passed or returned in registers, or an integer of 128 bits: part by part. */
  private loadParts(i: LInstruction & { op: 'load' }): void {
    if (i.order !== undefined) {
      // Some compilers make it a locked instruction, which is a fence, and some do not.
      this.fail('an atomic load of this size is unsupported; use a compare-exchange that changes nothing');
    }
    this.locate(this.names.of(i.address));
    const parts = this.placedParts(i.type);
    const address = this.address(i.address);
    const dests = this.define(
      i.result,
      parts.map((part) => part.type),
    );
    for (const [k, { offset }] of parts.entries()) {
      this.loadFrom(dests[k]!, this.offset(address, offset), this.isPrivate(i.address), orderOf(i));
    }
  }

  private storeParts(i: LInstruction & { op: 'store' }): void {
    const values = this.partsOf(i.value);
    if (i.order !== undefined) {
      if (!isWide(i.value.type)) this.fail('an atomic store of this size is unsupported');
      return store16(this.builder, this.widePlaces(i.address, [i.order]), [values[0]!, values[1]!]);
    }
    this.locate(this.names.of(i.address));
    const address = this.address(i.address);
    for (const [k, { offset }] of this.placedParts(i.value.type).entries()) {
      this.storeTo(this.offset(address, offset), values[k]!, this.isPrivate(i.address), orderOf(i));
    }
  }

  private lowerLoad(i: LInstruction & { op: 'load' }): void {
    const { kind } = this.context.layout.resolve(i.type);
    if (kind === 'ptr' && i.address.kind === 'local' && this.listPointers.has(i.address.name)) {
      this.listPointers.add(i.result!);
    }
    if (this.isComposite(i.type)) return this.loadParts(i);
    const type = this.scalar(i.type);
    const variable = i.address.kind === 'local' ? this.variables.get(i.address.name) : undefined;
    const dest = this.result(i, type);
    if (variable !== undefined) return this.builder.move(dest, variable);
    this.locate(this.names.of(i.address));
    const width = oddWidth(i.type);
    if (width !== undefined) return this.loadOdd(i, dest, type, width);
    if (type !== 'i1') return this.loadFrom(dest, this.address(i.address), this.isPrivate(i.address), orderOf(i));
    const byte = this.temporary('i8');
    this.loadFrom(byte, this.address(i.address), this.isPrivate(i.address), orderOf(i));
    this.builder.cast('trunc', dest, byte);
  }

  private lowerStore(i: LInstruction & { op: 'store' }): void {
    if (this.isComposite(i.value.type)) return this.storeParts(i);
    const variable = i.address.kind === 'local' ? this.variables.get(i.address.name) : undefined;
    let value = this.operand(i.value.value, i.value.type);
    if (variable !== undefined) return this.builder.move(variable, value);
    this.locate(this.names.of(i.address));
    const width = oddWidth(i.value.type);
    if (width !== undefined) return this.storeOdd(i, value, width);
    if (this.scalar(i.value.type) === 'i1') {
      const byte = this.temporary('i8');
      this.builder.cast('zext', byte, value);
      value = reg(byte);
    }
    this.storeTo(this.address(i.address), value, this.isPrivate(i.address), orderOf(i));
  }

  private loadOdd(i: LInstruction & { op: 'load' }, dest: Dest, type: Type, width: number): void {
    const address = this.address(i.address);
    const parts = pieces(width).map((piece) => {
      const part = this.temporary(piece.type);
      this.loadFrom(part, this.offset(address, piece.offset), this.isPrivate(i.address), orderOf(i));
      return { piece, part };
    });
    joinPieces(this.builder, dest, type, parts, width);
  }

  private storeOdd(i: LInstruction & { op: 'store' }, value: Operand, width: number): void {
    const address = this.address(i.address);
    const type = this.scalar(i.value.type);
    for (const piece of pieces(width)) {
      const part = cutPiece(this.builder, type, value, piece);
      this.storeTo(this.offset(address, piece.offset), reg(part), this.isPrivate(i.address), orderOf(i));
    }
  }

  /** Operands whose upper bits matter are masked before, results with new upper bits are normalised after. */
  private lowerOddBinary(i: LInstruction & { op: 'binary' }, width: number): void {
    const type = this.scalar(i.type);
    const dest = this.result(i, type);
    const isUnsigned = i.operator === 'lshr' || i.operator === 'udiv' || i.operator === 'urem';
    const [left, right] = [i.left, i.right].map((value): Operand => {
      const operand = this.operand(value, i.type);
      if (!isUnsigned) return operand;
      const masked = this.temporary(type);
      zeroExtend(this.builder, masked, type, operand, width);
      return reg(masked);
    });
    this.builder.binary(i.operator as BinaryOperator, dest, left!, right!);
    signExtend(this.builder, dest, type, dest, width);
  }

  private lowerGep(i: LInstruction & { op: 'gep' }): void {
    const { constants } = this.context;
    if (i.base.value.kind === 'local' && this.privateAddresses.has(i.base.value.name))
      this.privateAddresses.add(i.result!);
    const isOfList = i.base.value.kind === 'local' && this.listPointers.has(i.base.value.name);
    if (isArgumentList(i.source) || isOfList) this.listPointers.add(i.result!);
    if (isArgumentList(i.source) || (this.linked.isLibrary && isLibraryPrivate(i.source))) {
      this.privateAddresses.add(i.result!);
    }
    let type = i.source;
    let fixed = 0;
    let pointer = this.operand(i.base.value, i.base.type);
    const isWidePointer = this.pointer === 'i64';
    // Most pointers are only used as addresses, which need not be computed in 64 bits. What is not used is removed later.
    let address = isWidePointer ? this.address(i.base.value) : undefined;
    for (const [position, index] of i.indices.entries()) {
      const evaluated = constants.evaluate(index.type, index.value);
      const step = constants.step(type, position, evaluated?.kind === 'integer' ? Number(evaluated.value) : 1);
      type = step.type;
      if (evaluated?.kind === 'integer') {
        fixed += step.offset;
        continue;
      }
      const scaled = this.temporary(this.pointer);
      this.builder.binary('mul', scaled, this.index(index), this.pointerConstant(step.offset));
      const sum = this.temporary(this.pointer);
      this.builder.binary('add', sum, pointer, scaled);
      pointer = reg(sum);
      const isNear = Math.abs(step.offset) < MAX_OFFSET;
      if (address !== undefined)
        address = isNear ? this.displace(address, this.narrowIndex(index), step.offset) : undefined;
    }
    const dest = this.result(i, this.pointer);
    if (pointer.kind === 'global' && fixed === 0) this.builder.move(dest, pointer);
    else this.builder.binary('add', dest, pointer, this.pointerConstant(fixed));
    if (address === undefined || Math.abs(fixed) >= MAX_OFFSET) return;
    const moved = this.temporary('i32');
    this.builder.binary('add', moved, address, int(fixed));
    this.noteAddress(i.result!, moved);
  }

  /** An index as an `i32`; no address if it does not fit. */
  private narrowIndex(index: TypedValue): Operand {
    const known = index.value.kind === 'local' ? this.extended.get(index.value.name) : undefined;
    return known ?? this.size(index);
  }

  private displace(address: Operand, index: Operand, bytes: number): Operand {
    const [scaled, sum] = [this.temporary('i32'), this.temporary('i32')];
    this.builder.binary('scale', scaled, index, int(bytes));
    this.builder.binary('displace', sum, address, scaled);
    return reg(sum);
  }

  // ---- instructions

  private lower(i: LInstruction, block: string): void {
    const { builder } = this;
    switch (i.op) {
      case 'alloca':
        return this.lowerAlloca(i);
      case 'load':
        return this.lowerLoad(i);
      case 'store':
        return this.lowerStore(i);
      case 'gep':
        return this.lowerGep(i);
      case 'fence':
        // A signal fence restrains only the compiler, and clang at -O0 reorders nothing.
        if (!i.singleThread) builder.fence(i.order as 'seq_cst');
        return;
      case 'cmpxchg':
        return this.lowerCompareExchange(i);
      case 'atomicrmw':
        return this.lowerReadModifyWrite(i);
      case 'binary': {
        const width = oddWidth(i.type);
        if (width !== undefined) return this.lowerOddBinary(i, width);
        if (isWide(i.type)) return this.lowerWideBinary(i);
        this.refuseVector(i.type);
        return builder.binary(
          i.operator as BinaryOperator,
          this.result(i, this.scalar(i.type)),
          this.operand(i.left, i.type),
          this.operand(i.right, i.type),
        );
      }
      case 'fneg':
        return builder.unary('fneg', this.result(i, this.scalar(i.type)), this.operand(i.value, i.type));
      case 'icmp':
      case 'fcmp':
        return this.lowerCompare(i);
      case 'cast':
        return this.lowerCast(i);
      case 'select':
        return this.lowerSelect(i);
      case 'freeze':
        return this.moveParts(i, this.partsOf({ type: i.type, value: i.value }), this.parts(i.type));
      case 'extractvalue':
        return this.lowerExtract(i);
      case 'insertvalue':
        return this.lowerInsert(i);
      case 'phi':
        return;
      case 'call':
        return this.calls.lower(i);
      case 'ret':
        return this.lowerReturn(i);
      case 'br':
        return builder.jump(this.edge(block, i.target));
      case 'condbr':
        return builder.branch(
          this.operand(i.condition, { kind: 'int', bits: 1 }),
          this.edge(block, i.ifTrue),
          this.edge(block, i.ifFalse),
        );
      case 'switch': {
        const type = this.scalar(i.value.type);
        const cases = i.cases.map(({ value, target }) => ({
          value: asConstant(type, value),
          target: this.edge(block, target),
        }));
        return builder.switch(this.operand(i.value.value, i.value.type), cases, this.edge(block, i.default));
      }
      case 'indirectbr':
        return this.lowerIndirectBranch(i, block);
      case 'unreachable':
        return builder.unreachable();
      case 'va_arg':
        return this.fail('this form of va_arg is unsupported');
      case 'unsupported':
        if (/^(?:%\S+ = )?callbr\s/.test(i.text.trim()))
          this.fail('unsupported: asm goto; assembly cannot jump to labels of C');
        return this.fail(`unsupported instruction: ${i.text.trim().slice(0, 80)}`);
    }
  }

  private lowerWideBinary(i: LInstruction & { op: 'binary' }): void {
    const [left, right] = [this.halves(i.left, i.type), this.halves(i.right, i.type)];
    const result = this.wide.binary(i.operator, left, right);
    if (result === undefined) return this.fail(`this operator (${i.operator}) of 128-bit integers is unsupported`);
    this.moveParts(i, result, ['i64', 'i64']);
  }

  private halves(value: LValue, type: LType): Halves {
    const [low, high] = this.partsOf({ type, value });
    return [low!, high!];
  }

  /** Vectors are only passed on. */
  private refuseVector(type: LType): void {
    if (this.context.layout.resolve(type).kind === 'vector') this.fail('computing with vectors is unsupported');
  }

  private lowerCompare(i: LInstruction & { op: 'icmp' | 'fcmp' }): void {
    const dest = this.result(i, 'i1');
    if (isWide(i.type)) {
      return this.wide.compare(i.predicate, dest, this.halves(i.left, i.type), this.halves(i.right, i.type));
    }
    this.refuseVector(i.type);
    let [left, right] = [this.operand(i.left, i.type), this.operand(i.right, i.type)];
    const width = oddWidth(i.type);
    if (width !== undefined && i.predicate.startsWith('u')) {
      [left, right] = [left, right].map((operand): Operand => {
        const masked = this.temporary(this.scalar(i.type));
        zeroExtend(this.builder, masked, this.scalar(i.type), operand, width);
        return reg(masked);
      }) as [Operand, Operand];
    }
    if (i.predicate === 'true' || i.predicate === 'false') {
      return this.builder.move(dest, constant('i1', i.predicate === 'true' ? 1 : 0));
    }
    const predicate = i.op === 'fcmp' ? `f${i.predicate}` : i.predicate;
    this.builder.compare(predicate as Predicate, dest, left, right);
  }

  private lowerWideCast(i: LInstruction & { op: 'cast' }): void {
    const { builder } = this;
    if (isWide(i.from)) {
      const [low, high] = this.halves(i.value, i.from);
      if (isWide(i.to)) return this.moveParts(i, [low, high], ['i64', 'i64']);
      const to = this.scalar(i.to);
      if (i.operator !== 'trunc' && i.operator !== 'inttoptr') {
        this.fail(`this conversion (${i.operator}) of a 128-bit integer is unsupported`);
      }
      const dest = this.result(i, to);
      if (to === 'i64') builder.move(dest, low);
      else builder.cast('trunc', dest, low);
      return;
    }
    if (i.operator !== 'zext' && i.operator !== 'sext' && i.operator !== 'ptrtoint') {
      this.fail(`this conversion (${i.operator}) to a 128-bit integer is unsupported`);
    }
    const extension = i.operator === 'sext' ? 'sext' : 'zext';
    let value = this.operand(i.value, i.from);
    if (this.scalar(i.from) !== 'i64') {
      const dest = this.temporary('i64');
      builder.cast(extension, dest, value);
      value = reg(dest);
    }
    this.moveParts(i, this.wide.extend(extension, value), ['i64', 'i64']);
  }

  private lowerCast(i: LInstruction & { op: 'cast' }): void {
    if (isWide(i.from) || isWide(i.to)) return this.lowerWideCast(i);
    if (i.operator === 'ptrtoint') this.refuseAlignedArgument(i.value);
    if (i.operator !== 'bitcast') for (const type of [i.from, i.to]) this.refuseVector(type);
    const [from, to] = [this.scalar(i.from), this.scalar(i.to)];
    const dest = this.result(i, to);
    const value = this.operand(i.value, i.from);
    let operator = i.operator;
    if (operator === 'ptrtoint' || operator === 'inttoptr' || operator === 'addrspacecast') {
      operator = bitsOf(from) < bitsOf(to) ? 'zext' : bitsOf(from) > bitsOf(to) ? 'trunc' : 'bitcast';
    }
    const [fromWidth, toWidth] = [oddWidth(i.from), oddWidth(i.to)];
    if (fromWidth !== undefined || toWidth !== undefined) {
      return this.lowerOddCast(operator, dest, value, [from, fromWidth], [to, toWidth]);
    }
    if (operator === 'bitcast' && from === to) return this.builder.move(dest, value);
    if (operator === 'sext' && from === 'i32' && to === 'i64') this.extended.set(i.result!, value);
    this.builder.cast(operator as CastOperator, dest, value);
  }

  private lowerOddCast(
    operator: string,
    dest: Dest,
    value: Operand,
    [from, fromWidth]: readonly [Type, number | undefined],
    [to, toWidth]: readonly [Type, number | undefined],
  ): void {
    const { builder } = this;
    if (operator !== 'trunc' && operator !== 'zext' && operator !== 'sext') {
      this.fail(`this conversion (${operator}) of a bit-field is unsupported`);
    }
    let source = value;
    if (operator === 'zext' && fromWidth !== undefined) {
      const masked = this.temporary(from);
      zeroExtend(builder, masked, from, value, fromWidth);
      source = reg(masked);
    }
    if (from === to) builder.move(dest, source);
    else if (bitsOf(from) > bitsOf(to)) builder.cast('trunc', dest, source);
    else builder.cast(operator === 'zext' ? 'zext' : 'sext', dest, source);
    if (operator === 'trunc' && toWidth !== undefined) signExtend(builder, dest, to, dest, toWidth);
  }

  private lowerSelect(i: LInstruction & { op: 'select' }): void {
    const condition = this.operand(i.condition.value, i.condition.type);
    const [yes, no] = [this.partsOf(i.ifTrue), this.partsOf(i.ifFalse)];
    this.define(i.result, this.parts(i.ifTrue.type)).forEach((dest, k) => {
      this.builder.select(dest, condition, yes[k]!, no[k]!);
    });
  }

  /** Which of a structure's scalars an index path selects. */
  private partRange(type: LType, indices: readonly number[]): { first: number; types: readonly Type[] } {
    let first = 0;
    let current = this.context.layout.resolve(type);
    for (const index of indices) {
      const fields: readonly LType[] =
        current.kind === 'struct'
          ? current.fields
          : current.kind === 'array'
            ? Array.from({ length: current.count }, () => (current as LType & { kind: 'array' }).element)
            : [];
      for (const field of fields.slice(0, index)) first += this.parts(field).length;
      current = this.context.layout.resolve(fields[index]!);
    }
    return { first, types: this.parts(current) };
  }

  private lowerExtract(i: LInstruction & { op: 'extractvalue' }): void {
    const { first, types } = this.partRange(i.aggregate.type, i.indices);
    this.moveParts(i, this.partsOf(i.aggregate).slice(first, first + types.length), types);
  }

  private lowerInsert(i: LInstruction & { op: 'insertvalue' }): void {
    const { first } = this.partRange(i.aggregate.type, i.indices);
    const values = [...this.partsOf(i.aggregate)];
    const inserted = this.partsOf(i.value);
    values.splice(first, inserted.length, ...inserted);
    this.moveParts(i, values, this.parts(i.aggregate.type));
  }

  private lowerWideCompareExchange(i: LInstruction & { op: 'cmpxchg' }): void {
    const [expected, desired] = [i.expected, i.desired].map(({ value, type }) => this.halves(value, type));
    const places = this.widePlaces(i.address, [i.order, i.failureOrder]);
    const { old, success } = compareExchange16(this.builder, places, expected!, desired!);
    this.moveParts(i, [...old, success], ['i64', 'i64', 'i1']);
  }

  /** Where the halves of an atomic object of 16 bytes are; weaker orders than seq_cst are refused. */
  private widePlaces(address: LValue, orders: readonly LOrder[]): Places {
    if (orders.some((order) => order !== 'seq_cst')) {
      this.fail('an atomic operation of 16 bytes must be seq_cst here; weaker ones are unsupported');
    }
    this.locate(this.names.of(address));
    const start = this.address(address);
    return [start, this.offset(start, 8)];
  }

  private lowerCompareExchange(i: LInstruction & { op: 'cmpxchg' }): void {
    if (isWide(i.expected.type)) return this.lowerWideCompareExchange(i);
    const type = this.scalar(i.expected.type);
    const [dest, success] = this.define(i.result, [type, 'i1']);
    const name = this.names.of(i.address);
    this.locate(name);
    const address = this.address(i.address);
    const expected = this.operand(i.expected.value, i.expected.type);
    const desired = this.operand(i.desired.value, i.desired.type);
    const failureOrder = atomicOrder(i.failureOrder);
    const isStrong = !i.weak || !this.program.isSpurious || this.linked.isLibrary;
    const after = isStrong ? undefined : this.builder.block('');
    if (after !== undefined) {
      const [fails, differs] = [this.temporary('i32'), this.temporary('i1')];
      this.locate(undefined);
      this.builder.call(fails, this.address({ kind: 'global', name: FAILS_TO_EXCHANGE }));
      this.builder.compare('ne', differs, fails, constant('i32', 0));
      const [failing, exchanging] = [this.builder.block(''), this.builder.block('')];
      this.builder.branch(differs, failing, exchanging);
      this.builder.startBlock(failing);
      this.locate(name);
      this.builder.load(dest!, address, failureOrder);
      this.builder.move(success!, constant('i1', 0));
      this.builder.jump(after);
      this.builder.startBlock(exchanging);
    }
    this.builder.cmpxchg(dest!, success!, address, expected, desired, atomicOrder(i.order), failureOrder);
    if (after === undefined) return;
    this.builder.jump(after);
    this.builder.startBlock(after);
  }

  private lowerReadModifyWrite(i: LInstruction & { op: 'atomicrmw' }): void {
    if (!/^(xchg|add|sub|and|nand|or|xor|max|min|umax|umin)$/.test(i.operator)) {
      this.fail(`unsupported atomic operation: ${i.operator}`);
    }
    if (isWide(i.value.type)) return this.lowerWideModification(i);
    const type = this.scalar(i.value.type);
    const address = this.address(i.address);
    const value = this.operand(i.value.value, i.value.type);
    this.locate(this.names.of(i.address));
    const order = atomicOrder(i.order);
    const dest = this.result(i, type);
    if (type !== 'f32' && type !== 'f64')
      return this.builder.rmw(i.operator as RmwOperator, dest, address, value, order);
    const bits: Type = type === 'f32' ? 'i32' : 'i64';
    const [raw, old] = [this.temporary(bits), this.temporary(bits)];
    this.builder.cast('bitcast', raw, value);
    this.builder.rmw('xchg', old, address, raw, order);
    this.builder.cast('bitcast', dest, old);
  }

  private lowerWideModification(i: LInstruction & { op: 'atomicrmw' }): void {
    const value = this.halves(i.value.value, i.value.type);
    const old = modify16(this.builder, this.widePlaces(i.address, [i.order]), (before) => {
      if (i.operator === 'xchg') return value;
      return (
        this.wide.binary(i.operator, before, value) ??
        this.fail(`unsupported atomic operation: ${i.operator} of 16 bytes`)
      );
    });
    this.moveParts(i, old, ['i64', 'i64']);
  }

  private lowerReturn(i: LInstruction & { op: 'ret' }): void {
    const value = i.value === undefined ? undefined : this.returned(i.value);
    // Other threads may still use these: the end of their life is an event. Versions of clang disagree about the column
    // of a return.
    this.builder.location = { ...this.place, column: 0 };
    if (returnsFromError(this.linked)) this.builder.assert(constant('i1', 0), 'reach_error()');
    for (const address of this.shared) this.builder.add({ op: 'free', what: 'stack', address: reg(address) });
    this.builder.return(value);
  }

  /** The result; one of several parts goes to the caller's block instead. */
  private returned(value: TypedValue): Operand | undefined {
    if (!this.isComposite(value.type)) return this.operand(value.value, value.type);
    for (const [part, operand] of this.partsOf(value).entries()) {
      this.storeTo(this.offset(reg(0), part * 8), operand, true);
    }
    return undefined;
  }

  private lowerIndirectBranch(i: LInstruction & { op: 'indirectbr' }, block: string): void {
    const { name } = this.linked.func;
    const trap = this.builder.block('trap');
    const cases = [...new Set(i.targets)].map((target) => ({
      value: this.context.constants.blockNumber(name, target),
      target: this.edge(block, target),
    }));
    this.builder.switch(this.address(i.address), cases, trap);
    this.builder.startBlock(trap);
    this.builder.unreachable();
  }

  /** The target of a jump from `from` to `to`; where values must be merged, via a block of its own. */
  private edge(from: string, to: string): Target {
    const target = this.blocks.get(to);
    if (target === undefined) return this.fail(`block %${to} is not defined`);
    const phis = this.linked.func.blocks.find((b) => b.name === to)!.body.filter((i): i is Phi => i.op === 'phi');
    if (phis.length === 0) return target;
    const edge = this.builder.block(`${from}.${to}`);
    const back = this.builder.currentBlock;
    this.builder.startBlock(edge);
    // All values are read before any is written.
    const moves: { dest: Dest; from: Dest }[] = [];
    for (const phi of phis) {
      const incoming = phi.incoming.find((x) => x.block === from);
      if (incoming === undefined) this.fail(`phi without a value for block %${from}`);
      const types = this.parts(phi.type);
      const values = this.partsOf({ type: phi.type, value: incoming!.value });
      this.define(phi.result, types).forEach((dest, k) => {
        const copy = this.temporary(types[k]!);
        this.builder.move(copy, values[k]!);
        moves.push({ dest, from: copy });
      });
    }
    for (const move of moves) this.builder.move(move.dest, move.from);
    this.builder.jump(target);
    this.builder.startBlock(back);
    return edge;
  }
}

export function atomicOrder(order: LOrder): Order {
  return order === 'unordered' || order === 'monotonic' ? 'relaxed' : order;
}

/** Alignment of an object that `allocate` makes, if larger than the default. */
function alignment(align: number): { readonly align?: Operand } {
  return align > 16 ? { align: int(align) } : {};
}

function orderOf(i: { readonly volatile: boolean; readonly order?: LOrder }): Order {
  if (i.order !== undefined) return atomicOrder(i.order);
  return i.volatile ? 'volatile' : 'plain';
}

/**
 * One function: every SSA value becomes a register (a structure value several), every alloca a register, a private
 * stack object or a shared one (`storage.ts`), every instruction its counterpart in the program form.
 */
import { constant, type FunctionBuilder, int, reg } from '../../program/builder.ts';
import type { BinaryOperator, CastOperator, Dest, Operand, Predicate, RmwOperator, Target } from '../../program/ir.ts';
import type { Location } from '../../program/location.ts';
import { bitsOf, type Order, type Type } from '../../program/types.ts';
import { AccessNames } from './access-names.ts';
import type { Evaluated } from './constant.ts';
import { FrontendError } from './frontend-error.ts';
import type { LinkedFunction } from './link.ts';
import type { ModuleContext, ProgramLowering } from './lower.ts';
import { CallLowering } from './lower-call.ts';
import type { LInstruction, LOrder, LType, LValue, Place, TypedValue } from './module.ts';
import { cutPiece, joinPieces, oddWidth, pieces, signExtend, zeroExtend } from './odd-integers.ts';
import { partsOf } from './parts.ts';
import { StackScopes } from './stack-scopes.ts';
import { classifyAllocas, isLibraryPrivate, type Storage } from './storage.ts';
import { returnsFromError } from './sv-comp.ts';

const ZERO = int(0);

type Phi = LInstruction & { op: 'phi' };

export class FunctionLowering {
  readonly program: ProgramLowering;
  readonly context: ModuleContext;
  readonly linked: LinkedFunction;
  readonly builder: FunctionBuilder;
  readonly storage: ReadonlyMap<string, Storage>;
  /** Where the instruction being lowered comes from. */
  place: Place;
  private readonly values = new Map<string, readonly Dest[]>();
  /** Allocas that are registers. */
  private readonly variables = new Map<string, Dest>();
  /** Addresses within a private object, and the constants: accesses to them are local. */
  private readonly privateAddresses = new Set<string>();
  private readonly blocks = new Map<string, Target>();
  private readonly names: AccessNames;
  private readonly calls: CallLowering;
  /** Shared local variables, whose end is an event; in the order of their declarations. */
  private readonly shared: Dest[] = [];
  readonly stackScopes: StackScopes;

  constructor(program: ProgramLowering, context: ModuleContext, linked: LinkedFunction, builder: FunctionBuilder) {
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
    this.calls = new CallLowering(this);
    this.stackScopes = new StackScopes(linked.func);
  }

  run(): void {
    const { func } = this.linked;
    func.parameters.forEach((parameter, index) => {
      this.values.set(parameter.name, [index]);
    });
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

  fail(reason: string): never {
    throw new FrontendError(this.place, reason);
  }

  /** Instructions from here on are at `place`; `access` is what the user calls the thing they access. */
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
  private parts(type: LType): readonly Type[] {
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
      this.fail('this function has a result of another type; declare it as it is');
    }
    return this.define(i.result, [type])[0]!;
  }

  private declare(phi: Phi): void {
    this.define(phi.result, this.parts(phi.type));
  }

  operand(value: LValue, type: LType): Operand {
    if (value.kind === 'local') return reg(this.registersOf(value.name)[0]!);
    const evaluated = this.context.constants.evaluate(type, value);
    if (evaluated === undefined) return this.fail(`this kind of constant (${value.kind}) is unsupported here`);
    return this.constantOperand(evaluated, this.scalar(type));
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
        const size = symbol.kind === 'global' ? this.context.layout.sizeOf(symbol.global.type) : 0;
        if (evaluated.offset >= 0 && evaluated.offset <= size) return { ...operand, offset: evaluated.offset };
        // Outside of the object: an address no less, and an error as soon as it is used.
        const dest = this.temporary('i32');
        this.builder.binary('add', dest, operand, int(evaluated.offset));
        return reg(dest);
      }
    }
  }

  private registersOf(name: string): readonly Dest[] {
    const dests = this.values.get(name);
    if (dests !== undefined) return dests;
    // Defined further down in the text, in a block that comes first when running: declare it now.
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

  /** All the parts of a value, also of one that is a structure. */
  private partsOf({ type, value }: TypedValue): readonly Operand[] {
    if (value.kind === 'local') return this.registersOf(value.name).map(reg);
    const types = this.parts(type);
    if (types.length === 1 && value.kind !== 'aggregate') return [this.operand(value, type)];
    if (value.kind === 'aggregate') return value.elements.flatMap((element) => this.partsOf(element));
    return types.map((t) => constant(t, t === 'i64' ? 0n : 0));
  }

  // ---- memory

  /** Whether accesses through this address are nobody else's business. */
  isPrivate(address: LValue): boolean {
    if (address.kind === 'local') return this.privateAddresses.has(address.name);
    const evaluated = this.context.constants.evaluate({ kind: 'ptr' }, address);
    if (evaluated?.kind !== 'address') return false;
    const symbol = this.program.resolve(this.context.module, evaluated.symbol);
    return symbol?.kind === 'global' && symbol.global.isConstant;
  }

  /** The value called `name` is a private address too. */
  notePrivate(name: string): void {
    this.privateAddresses.add(name);
  }

  loadFrom(dest: Dest, address: Operand, isPrivate: boolean, order: Order = 'plain'): void {
    if (isPrivate) this.builder.add({ op: 'peek', dest, address });
    else if (this.linked.isLibrary && order === 'plain') this.loadUnlessConstant(dest, address);
    else this.builder.load(dest, address, order);
  }

  /** In our library, which is given many strings that nobody can change: reading those is no event. */
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

  private lowerAlloca(i: LInstruction & { op: 'alloca' }): void {
    const { layout } = this.context;
    const name = i.result!;
    const storage = this.storage.get(name)!;
    if (storage === 'register') {
      this.variables.set(
        name,
        this.builder.register(this.linked.func.variables.get(name)?.name ?? name, this.scalar(i.type)),
      );
      return;
    }
    const dest = this.result(i, 'i32');
    const variable = this.linked.func.variables.get(name);
    // Clang puts all of them where the function begins; people look where they are declared.
    if (variable !== undefined) this.builder.location = { ...(variable.place ?? this.place), variable: variable.name };
    const size = layout.sizeOf(i.type);
    const align = Math.max(i.align, 1);
    if (i.count !== undefined) {
      // A variable-length array, which ends with its block, or what `alloca` gives, which ends with the function; of
      // the latter in a loop, only the last is known to end.
      const bytes = this.temporary('i32');
      this.builder.binary('mul', bytes, this.toPointerWidth(i.count), int(size));
      this.builder.add({ op: 'allocate', what: 'stack', dest, size: reg(bytes), ...alignment(align) });
      if (storage === 'private') this.privateAddresses.add(name);
      if (!this.stackScopes.add(dest)) this.shared.push(dest);
      return;
    }
    if (storage === 'private') {
      this.privateAddresses.add(name);
      this.builder.alloca(dest, Math.max(size, 1), align);
    } else {
      const parts = partsOf(variable?.type);
      this.builder.add({ op: 'allocate', what: 'stack', dest, size: int(size), ...alignment(align), ...parts });
      this.shared.push(dest);
    }
  }

  private lowerLoad(i: LInstruction & { op: 'load' }): void {
    const type = this.scalar(i.type);
    const variable = i.address.kind === 'local' ? this.variables.get(i.address.name) : undefined;
    const dest = this.result(i, type);
    if (variable !== undefined) return this.builder.move(dest, variable);
    this.locate(this.names.of(i.address));
    const width = oddWidth(i.type);
    if (width !== undefined) return this.loadOdd(i, dest, type, width);
    if (type !== 'i1')
      return this.loadFrom(dest, this.operand(i.address, { kind: 'ptr' }), this.isPrivate(i.address), orderOf(i));
    const byte = this.temporary('i8');
    this.loadFrom(byte, this.operand(i.address, { kind: 'ptr' }), this.isPrivate(i.address), orderOf(i));
    this.builder.cast('trunc', dest, byte);
  }

  private lowerStore(i: LInstruction & { op: 'store' }): void {
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
    this.storeTo(this.operand(i.address, { kind: 'ptr' }), value, this.isPrivate(i.address), orderOf(i));
  }

  private loadOdd(i: LInstruction & { op: 'load' }, dest: Dest, type: Type, width: number): void {
    const address = this.operand(i.address, { kind: 'ptr' });
    const parts = pieces(width).map((piece) => {
      const part = this.temporary(piece.type);
      this.loadFrom(part, this.offset(address, piece.offset), this.isPrivate(i.address), orderOf(i));
      return { piece, part };
    });
    joinPieces(this.builder, dest, type, parts, width);
  }

  private storeOdd(i: LInstruction & { op: 'store' }, value: Operand, width: number): void {
    const address = this.operand(i.address, { kind: 'ptr' });
    const type = this.scalar(i.value.type);
    for (const piece of pieces(width)) {
      const part = cutPiece(this.builder, type, value, piece);
      this.storeTo(this.offset(address, piece.offset), reg(part), this.isPrivate(i.address), orderOf(i));
    }
  }

  /** Operands whose upper bits count are masked before, results with new upper bits are mended after. */
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
    if (this.linked.isLibrary && isLibraryPrivate(i.source)) this.privateAddresses.add(i.result!);
    let type = i.source;
    let fixed = 0;
    let address = this.operand(i.base.value, i.base.type);
    for (const [position, index] of i.indices.entries()) {
      const evaluated = constants.evaluate(index.type, index.value);
      const step = constants.step(type, position, evaluated?.kind === 'integer' ? Number(evaluated.value) : 1);
      type = step.type;
      if (evaluated?.kind === 'integer') {
        fixed += step.offset;
        continue;
      }
      const scaled = this.temporary('i32');
      this.builder.binary('mul', scaled, this.toPointerWidth(index), int(step.offset));
      const sum = this.temporary('i32');
      this.builder.binary('add', sum, address, scaled);
      address = reg(sum);
    }
    const dest = this.result(i, 'i32');
    if (address.kind === 'global' && fixed === 0) this.builder.move(dest, address);
    else this.builder.binary('add', dest, address, int(fixed | 0));
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
        // A signal fence restrains the compiler only, and clang at -O0 reorders nothing.
        if (!i.singleThread) builder.fence(i.order as 'seq_cst');
        return;
      case 'cmpxchg':
        return this.lowerCompareExchange(i);
      case 'atomicrmw':
        return this.lowerReadModifyWrite(i);
      case 'binary': {
        const width = oddWidth(i.type);
        if (width !== undefined) return this.lowerOddBinary(i, width);
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
        return this.fail(`unsupported instruction: ${i.text.trim().slice(0, 80)}`);
    }
  }

  private lowerCompare(i: LInstruction & { op: 'icmp' | 'fcmp' }): void {
    const dest = this.result(i, 'i1');
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

  private lowerCast(i: LInstruction & { op: 'cast' }): void {
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

  moveParts(i: LInstruction, values: readonly Operand[], types: readonly Type[]): void {
    this.define(i.result, types).forEach((dest, k) => {
      this.builder.move(dest, values[k]!);
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

  private lowerCompareExchange(i: LInstruction & { op: 'cmpxchg' }): void {
    const type = this.scalar(i.expected.type);
    const [dest, success] = this.define(i.result, [type, 'i1']);
    this.locate(this.names.of(i.address));
    this.builder.cmpxchg(
      dest!,
      success!,
      this.operand(i.address, { kind: 'ptr' }),
      this.operand(i.expected.value, i.expected.type),
      this.operand(i.desired.value, i.desired.type),
      atomicOrder(i.order),
      atomicOrder(i.failureOrder),
    );
  }

  private lowerReadModifyWrite(i: LInstruction & { op: 'atomicrmw' }): void {
    if (!/^(xchg|add|sub|and|nand|or|xor|max|min|umax|umin)$/.test(i.operator)) {
      this.fail(`unsupported atomic operation: ${i.operator}`);
    }
    const type = this.scalar(i.value.type);
    const address = this.operand(i.address, { kind: 'ptr' });
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

  private lowerReturn(i: LInstruction & { op: 'ret' }): void {
    const value = i.value === undefined ? undefined : this.operand(i.value.value, i.value.type);
    // Other threads may still use these: their end is an event. Versions of clang disagree about the column of a return.
    this.builder.location = { ...this.place, column: 0 };
    if (returnsFromError(this.linked)) this.builder.assert(constant('i1', 0), 'reach_error()');
    for (const address of this.shared) this.builder.add({ op: 'free', what: 'stack', address: reg(address) });
    this.builder.return(value);
  }

  private lowerIndirectBranch(i: LInstruction & { op: 'indirectbr' }, block: string): void {
    const { name } = this.linked.func;
    const trap = this.builder.block('trap');
    const cases = [...new Set(i.targets)].map((target) => ({
      value: this.context.constants.blockNumber(name, target),
      target: this.edge(block, target),
    }));
    this.builder.switch(this.operand(i.address, { kind: 'ptr' }), cases, trap);
    this.builder.startBlock(trap);
    this.builder.unreachable();
  }

  /** The target of a jump from `from` to `to`; by way of a block of its own where values have to be merged. */
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

  get zero(): Operand {
    return ZERO;
  }
}

function asConstant(type: Type, value: bigint): number | bigint {
  const bits = bitsOf(type);
  const wrapped = bits === 1 ? value & 1n : BigInt.asIntN(bits, value);
  return type === 'i64' ? wrapped : Number(wrapped);
}

export function atomicOrder(order: LOrder): Order {
  return order === 'unordered' || order === 'monotonic' ? 'relaxed' : order;
}

/** Of an object that `allocate` makes, where it asks for more than all have. */
function alignment(align: number): { readonly align?: Operand } {
  return align > 16 ? { align: int(align) } : {};
}

function orderOf(i: { readonly volatile: boolean; readonly order?: LOrder }): Order {
  if (i.order !== undefined) return atomicOrder(i.order);
  return i.volatile ? 'volatile' : 'plain';
}

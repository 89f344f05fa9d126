/**
 * Builds programs by hand, for front-ends and tests. Nothing is checked here; `validate` does that.
 *
 *   const p = new ProgramBuilder('SB');
 *   const x = p.global('x', 'i32'), y = p.global('y', 'i32');
 *   const f = p.function('P0');
 *   const r = f.register('r', 'i32');
 *   f.store(x, int(1)); f.load(r, y); f.return();
 *   p.root('P0', f);
 *   const program = p.build();
 */
import {
  type AddressOperand,
  type Block,
  type ConstantOperand,
  type Dest,
  type Func,
  type Global,
  type Instruction,
  isTerminator,
  type LocalInstruction,
  type LocalVariable,
  type Operand,
  type Program,
  type Register,
  type RegisterOperand,
  type Root,
  type Target,
  type Terminator,
  type VisibleInstruction,
} from './ir.ts';
import type { Location } from './location.ts';
import type { BinaryOperator, CastOperator, Predicate, RmwOperator, UnaryOperator } from './operators.ts';
import { type FenceOrder, type Order, sizeOf, type Type } from './types.ts';

export function int(value: number, type: Type = 'i32'): ConstantOperand {
  return { kind: 'constant', type, value: type === 'i64' ? BigInt(value) : value };
}

export function constant(type: Type, value: number | bigint): ConstantOperand {
  return { kind: 'constant', type, value };
}

export function reg(index: Dest): RegisterOperand {
  return { kind: 'register', index };
}

/** A register index means the register's value. */
export type Value = Operand | Dest;

function operand(value: Value): Operand {
  return typeof value === 'number' ? reg(value) : value;
}

interface FunctionOptions {
  readonly result?: Type;
  readonly location?: Location;
  readonly title?: string;
  readonly isLibrary?: boolean;
  readonly isUndefined?: true;
}

export class ProgramBuilder {
  readonly name: string;
  private readonly globals: Global[] = [];
  private readonly functions: FunctionBuilder[] = [];
  private readonly roots: Root[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Declares a variable of a scalar type (or an array of `count`) and returns its address. */
  global(name: string, type: Type, init: readonly (number | bigint)[] = [], count = 1): AddressOperand {
    const size = sizeOf(type);
    const bytes = new Uint8Array(size * count);
    init.forEach((value, i) => {
      let rest = BigInt.asUintN(size * 8, BigInt(value));
      for (let b = 0; b < size; b++, rest >>= 8n) bytes[i * size + b] = Number(rest & 0xffn);
    });
    return this.addGlobal({
      name,
      size: size * count,
      align: size,
      init: bytes,
      ...(count > 1 ? { element: size } : {}),
    });
  }

  addGlobal(global: Global): AddressOperand {
    this.globals.push(global);
    return { kind: 'global', index: this.globals.length - 1, offset: 0 };
  }

  function(
    name: string,
    parameters: readonly { name: string; type: Type }[] = [],
    options: FunctionOptions = {},
  ): FunctionBuilder {
    const func = new FunctionBuilder(name, this.functions.length, parameters, options);
    this.functions.push(func);
    return func;
  }

  /** Makes `func` run in a thread that exists from the start. */
  root(name: string, func: FunctionBuilder, args: readonly Operand[] = []): void {
    this.roots.push({ name, function: func.index, arguments: args });
  }

  build(): Program {
    return {
      name: this.name,
      globals: this.globals,
      functions: this.functions.map((f) => f.build()),
      roots: this.roots,
    };
  }
}

export class FunctionBuilder {
  readonly index: number;
  private readonly name: string;
  private readonly parameters: number;
  private readonly options: FunctionOptions;
  private readonly registers: Register[] = [];
  private readonly blocks: { name: string; body: Instruction[] }[] = [{ name: 'entry', body: [] }];
  private current = 0;
  /** The location of every instruction added from now on. */
  location: Location | undefined;

  constructor(
    name: string,
    index: number,
    parameters: readonly { name: string; type: Type }[],
    options: FunctionOptions,
  ) {
    this.name = name;
    this.index = index;
    this.parameters = parameters.length;
    this.registers.push(...parameters);
    this.options = options;
  }

  register(name: string, type: Type): Dest {
    this.registers.push({ name, type });
    return this.registers.length - 1;
  }

  /** Names the local variable that a register holds, or whose address it holds. */
  describe(register: Dest, variable: LocalVariable): void {
    this.registers[register] = { ...this.registers[register]!, variable };
  }

  /** Makes an empty block, for jumps; `startBlock` then fills it. */
  block(name: string): Target {
    this.blocks.push({ name, body: [] });
    return this.blocks.length - 1;
  }

  get currentBlock(): Target {
    return this.current;
  }

  /** Instructions go to `target` from now on. */
  startBlock(target: Target): void {
    this.current = target;
  }

  /** Whether the current block still lacks its terminator. */
  get open(): boolean {
    const last = this.blocks[this.current]!.body.at(-1);
    return last === undefined || !isTerminator(last);
  }

  add(instruction: LocalInstruction | VisibleInstruction | Terminator): void {
    this.blocks[this.current]!.body.push(
      this.location === undefined ? instruction : { ...instruction, location: this.location },
    );
  }

  move(dest: Dest, value: Value): void {
    this.add({ op: 'move', dest, value: operand(value) });
  }
  binary(operator: BinaryOperator, dest: Dest, left: Value, right: Value): void {
    this.add({ op: 'binary', operator, dest, left: operand(left), right: operand(right) });
  }
  compare(predicate: Predicate, dest: Dest, left: Value, right: Value): void {
    this.add({ op: 'compare', predicate, dest, left: operand(left), right: operand(right) });
  }
  cast(operator: CastOperator, dest: Dest, value: Value): void {
    this.add({ op: 'cast', operator, dest, value: operand(value) });
  }
  select(dest: Dest, condition: Value, ifTrue: Value, ifFalse: Value): void {
    this.add({ op: 'select', dest, condition: operand(condition), ifTrue: operand(ifTrue), ifFalse: operand(ifFalse) });
  }
  unary(operator: UnaryOperator, dest: Dest, value: Value): void {
    this.add({ op: 'unary', operator, dest, value: operand(value) });
  }
  alloca(dest: Dest, size: number, align = 8): void {
    this.add({ op: 'alloca', dest, size, align });
  }
  call(dest: Dest | undefined, callee: FunctionBuilder | Operand, args: readonly Value[] = []): void {
    this.add({
      op: 'call',
      ...(dest === undefined ? {} : { dest }),
      callee: callee instanceof FunctionBuilder ? { kind: 'function', index: callee.index } : callee,
      arguments: args.map(operand),
    });
  }
  assert(condition: Value, message: string): void {
    this.add({ op: 'assert', condition: operand(condition), message });
  }
  /** The program cannot be checked if it gets here. */
  refuse(message: string): void {
    this.add({ op: 'assert', condition: constant('i1', 0), message, refuses: true });
  }
  assume(condition: Value, isCovered = false): void {
    this.add({ op: 'assume', condition: operand(condition), ...(isCovered ? { isCovered } : {}) });
  }

  load(dest: Dest, address: Value, order: Order = 'plain'): void {
    this.add({ op: 'load', dest, address: operand(address), order });
  }
  store(address: Value, value: Value, order: Order = 'plain'): void {
    this.add({ op: 'store', address: operand(address), value: operand(value), order });
  }
  rmw(operator: RmwOperator, dest: Dest, address: Value, value: Value, order: Order = 'seq_cst'): void {
    this.add({ op: 'rmw', operator, dest, address: operand(address), value: operand(value), order });
  }
  cmpxchg(
    dest: Dest,
    success: Dest | undefined,
    address: Value,
    expected: Value,
    desired: Value,
    order: Order = 'seq_cst',
    failureOrder: Order = order === 'acq_rel' ? 'acquire' : order === 'release' ? 'relaxed' : order,
  ): void {
    this.add({
      op: 'cmpxchg',
      dest,
      ...(success === undefined ? {} : { success }),
      address: operand(address),
      expected: operand(expected),
      desired: operand(desired),
      order,
      failureOrder,
    });
  }
  fence(order: FenceOrder = 'seq_cst'): void {
    this.add({ op: 'fence', order });
  }
  choose(dest: Dest, count: number): void {
    this.add({ op: 'choose', dest, count });
  }
  spawn(dest: Dest, callee: FunctionBuilder | Operand, args: readonly Value[] = []): void {
    this.add({
      op: 'spawn',
      dest,
      callee: callee instanceof FunctionBuilder ? { kind: 'function', index: callee.index } : callee,
      arguments: args.map(operand),
    });
  }
  join(thread: Value, dest?: Dest): void {
    this.add({ op: 'join', thread: operand(thread), ...(dest === undefined ? {} : { dest }) });
  }
  lock(mutex: Value): void {
    this.add({ op: 'lock', mutex: operand(mutex) });
  }
  trylock(dest: Dest, mutex: Value): void {
    this.add({ op: 'trylock', dest, mutex: operand(mutex) });
  }
  unlock(mutex: Value): void {
    this.add({ op: 'unlock', mutex: operand(mutex) });
  }
  wait(condition: Value, mutex: Value): void {
    this.add({ op: 'wait', condition: operand(condition), mutex: operand(mutex) });
  }
  signal(condition: Value): void {
    this.add({ op: 'signal', condition: operand(condition) });
  }
  broadcast(condition: Value): void {
    this.add({ op: 'broadcast', condition: operand(condition) });
  }

  jump(target: Target): void {
    this.add({ op: 'jump', target });
  }
  branch(condition: Value, ifTrue: Target, ifFalse: Target): void {
    this.add({ op: 'branch', condition: operand(condition), ifTrue, ifFalse });
  }
  switch(value: Value, cases: readonly { value: number | bigint; target: Target }[], otherwise: Target): void {
    this.add({ op: 'switch', value: operand(value), cases, default: otherwise });
  }
  unreachable(): void {
    this.add({ op: 'unreachable' });
  }
  return(value?: Value): void {
    this.add(value === undefined ? { op: 'return' } : { op: 'return', value: operand(value) });
  }

  build(): Func {
    return {
      name: this.name,
      ...(this.options.title === undefined ? {} : { title: this.options.title }),
      parameters: this.parameters,
      ...(this.options.result === undefined ? {} : { result: this.options.result }),
      registers: this.registers,
      blocks: this.blocks as readonly Block[],
      ...(this.options.location === undefined ? {} : { location: this.options.location }),
      ...(this.options.isLibrary === true ? { isLibrary: true } : {}),
      ...(this.options.isUndefined === true ? { isUndefined: true } : {}),
    };
  }
}
